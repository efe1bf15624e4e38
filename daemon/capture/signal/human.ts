import { flag } from '../../ports/knob.ts';
import { type Lesson, type SessionView, type Sighting, signal } from '../port.ts';
import { judge } from './cue.ts';
import { HUMAN_CUES } from './human-cues.ts';
import type { HumanMoment } from './human-moments.ts';
import { type HumanKind, kindOf } from './kinds.ts';
import weights from './weights.json' with { type: 'json' };

interface Options {
  kind: HumanKind;
  type: Lesson['type'];
  doc: string;
  /** What the switch says in Settings. */
  keeps: string;
}

/** A signal for one kind of human message. All kinds are judged alike; they differ in what they are, not in what they are worth. */
export function humanSignal({ kind, type, doc, keeps }: Options) {
  return signal({
    id: `signal.${kind}`,
    seeds: [],
    doc,
    switch: flag(`REFLECT_SIGNAL_${kind.toUpperCase()}`, true, keeps),
    knobs: {},
    start() {
      const tell = ({ messages, humanBar }: SessionView): Sighting[] =>
        messages
          .filter((moment) => kindOf(moment) === kind)
          .flatMap((moment) => lessonIn(moment, type, humanBar));
      return { see: (_event, session) => tell(session), rest: tell };
    },
  });
}

function lessonIn(moment: HumanMoment, type: Lesson['type'], bar: number): Lesson[] {
  const { probability, cues, why } = judge(HUMAN_CUES, weights.human, moment);
  if (probability < bar) return [];
  return [
    {
      sees: 'lesson',
      trigger: moment.prompt,
      quote: moment.prompt.text.trim(),
      type,
      score: round(probability),
      cues,
      why,
    },
  ];
}

const round = (value: number) => Math.round(value * 100) / 100;
