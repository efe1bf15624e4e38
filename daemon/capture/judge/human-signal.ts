import { flag } from '../../ports/knob.ts';
import { type Lesson, type Sighting, signal } from '../port.ts';
import { judge } from './cue.ts';
import { HUMAN_CUES } from './human-cues.ts';
import { type HumanMoment, HumanMoments } from './human-moments.ts';
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
      const moments = new HumanMoments();
      const tell = (moment: HumanMoment, bar: number): Sighting[] => (kindOf(moment) === kind ? lessonIn(moment, type, bar) : []);
      return {
        see: (event, session) => moments.see(event).flatMap((moment) => tell(moment, session.humanBar)),
        rest: (session) => moments.rest().flatMap((moment) => tell(moment, session.humanBar)),
      };
    },
  });
}

function lessonIn(moment: HumanMoment, type: Lesson['type'], bar: number): Lesson[] {
  const { probability, why } = judge(HUMAN_CUES, weights.human, moment);
  if (probability < bar) return [];
  return [{ sees: 'lesson', trigger: moment.prompt, quote: moment.prompt.text.trim(), type, score: round(probability), why }];
}

const round = (value: number) => Math.round(value * 100) / 100;
