import { flag } from '../../ports/knob.ts';
import { judge, type Weights } from '../judge/cue.ts';
import { HUMAN_CUES } from '../judge/human-cues.ts';
import type { HumanMoment } from '../judge/human-moments.ts';
import { type HumanKind, kindOf } from '../judge/kinds.ts';
import { type Lesson, type SessionView, type Sighting, type Signal, signal } from '../port.ts';

interface KindOfMessage {
  kind: HumanKind;
  type: Lesson['type'];
  doc: string;
  /** The label of its switch in Settings. */
  label: string;
}

const KINDS: readonly KindOfMessage[] = [
  {
    kind: 'rejection',
    type: 'correction',
    doc: 'What a person says when rejecting a tool call or a plan.',
    label: 'Capture what you say when you reject something',
  },
  {
    kind: 'answer',
    type: 'decision',
    doc: 'What a person answers to a question tool of the agent: a decision, with its question as context.',
    label: 'Capture your answers to the questions agents ask',
  },
  {
    kind: 'queued',
    type: 'correction',
    doc: 'What a person types while the agent works. Agents often lose these.',
    label: 'Capture what you type while the agent works',
  },
  {
    kind: 'redirect',
    type: 'correction',
    doc: 'What a person says after stopping the agent.',
    label: 'Capture what you say after stopping the agent',
  },
  {
    kind: 'repeated',
    type: 'correction',
    doc: 'What a person has to say again.',
    label: 'Capture what you have to say twice',
  },
  {
    kind: 'decision',
    type: 'decision',
    doc: 'What a person decides, often out of what the agent offered.',
    label: 'Capture what you decide',
  },
  {
    kind: 'preference',
    type: 'preference',
    doc: 'How a person wants things to be done.',
    label: 'Capture how you want things done',
  },
  {
    kind: 'correction',
    type: 'correction',
    doc: 'What a person corrects, often as a question right after the agent claimed to be done.',
    label: 'Capture what you correct',
  },
];

/** One signal per kind of human message. One judge weighs them all; a kind only decides the lesson's type. */
export const HUMAN_SIGNALS: readonly Signal[] = KINDS.map(({ kind, type, doc, label }) =>
  signal({
    id: `signal.${kind}`,
    seeds: [],
    doc,
    switch: flag(`REFLECT_SIGNAL_${kind.toUpperCase()}`, true, label),
    knobs: {},
    start() {
      const lessonsIn = ({ messages, weights, humanBar }: SessionView): Sighting[] =>
        messages
          .filter((moment) => kindOf(moment) === kind)
          .flatMap((moment) => lessonFrom(moment, type, weights.human, humanBar));
      return { see: (_event, session) => lessonsIn(session), rest: lessonsIn };
    },
  }),
);

function lessonFrom(moment: HumanMoment, type: Lesson['type'], weights: Weights, bar: number): Lesson[] {
  const { probability, cues, why } = judge(HUMAN_CUES, weights, moment);
  if (probability < bar) return [];
  return [
    {
      sees: 'lesson',
      trigger: moment.prompt,
      quote: (moment.excerpt ? moment.typed : moment.prompt.text).trim(),
      type,
      score: round(probability),
      cues,
      why,
    },
  ];
}

const round = (value: number) => Math.round(value * 100) / 100;
