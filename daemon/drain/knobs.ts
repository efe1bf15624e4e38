import { allPerProject, flag, integer, number } from '../ports/knob.ts';
import { LEARNING_BAR } from './stands-alone.ts';

export const DRAIN_KNOBS = {
  capture: flag('REFLECT_CAPTURE', true, 'Read the transcripts of agents and learn from them'),
  recurringSessions: integer('REFLECT_RECURRING_SESSIONS', {
    default: 1,
    min: 1,
    max: 50,
    doc: 'In how many sessions of a project the same failure must be fixed before it is noticed',
  }),
  settleSeconds: number('REFLECT_SETTLE_SECONDS', {
    default: 300,
    min: 0,
    max: 3_600,
    doc: 'Seconds of silence after which a moment is written, if its turn has not ended before',
  }),
  learningBar: LEARNING_BAR,
  ...allPerProject({
    modelLearningBar: number('REFLECT_MODEL_LEARNING_BAR', {
      default: 0.15,
      min: 0,
      max: 1,
      doc: 'The same for a note written by a model, which saw the conversation',
    }),
    backFillLearnings: flag(
      'REFLECT_BACKFILL_LEARNINGS',
      false,
      'Turn sessions from before the first start into learnings; if off, their notes wait as candidates',
    ),
  }),
};
