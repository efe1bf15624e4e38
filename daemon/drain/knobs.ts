import { allPerProject, flag, integer, number } from '../ports/knob.ts';
import { LEARNING_BAR } from './stands-alone.ts';

export const DRAIN_KNOBS = {
  capture: flag('REFLECT_CAPTURE', true, 'Watch the agents and learn from their transcripts'),
  recurringSessions: integer('REFLECT_RECURRING_SESSIONS', {
    default: 1,
    min: 1,
    max: 50,
    doc: 'In how many sessions of a project the same failure must be overcome before it is noticed; one makes it a candidate at least',
  }),
  settleSeconds: number('REFLECT_SETTLE_SECONDS', {
    default: 300,
    min: 0,
    max: 3_600,
    doc: 'A moment is written down when its turn ends. Without a sign of that, after this much silence',
  }),
  learningBar: LEARNING_BAR,
  ...allPerProject({
    modelLearningBar: number('REFLECT_MODEL_LEARNING_BAR', {
      default: 0.15,
      min: 0,
      max: 1,
      doc: 'The same for a note that a model worded: it saw the conversation and could have refused',
    }),
    backFillLearnings: flag(
      'REFLECT_BACKFILL_LEARNINGS',
      false,
      'Make learnings of sessions from before Reflect was first started; off, their notes wait as candidates',
    ),
  }),
};
