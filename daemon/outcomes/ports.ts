import type { PortCard } from '../ports/port.ts';
import { experienceCleanup } from './experience/cleanup.ts';
import { RANKING_KNOBS } from './experience/ranking.ts';
import { loopFiles } from './loops/files.ts';
import { loopLearning } from './loops/lesson.ts';
import { dynamicOmega } from './loops/window.ts';
import { number } from '../ports/knob.ts';
import { MEMORY_KNOBS } from './memories/query.ts';
import { sessionOutcomes } from './memories/session-outcomes.ts';

/** Every switchable port of learning from outcomes. */
export const OUTCOME_PORTS: readonly PortCard[] = [
  sessionOutcomes,
  experienceCleanup,
  dynamicOmega,
  loopLearning,
  loopFiles,
];

export const OUTCOME_KNOBS = {
  alpha: number('Q_LEARNING_ALPHA', {
    default: 0.3,
    min: 0,
    max: 1,
    doc: 'How much one review changes the utility of a memory, unless the review has its own alpha',
  }),
  ...MEMORY_KNOBS,
  ...RANKING_KNOBS,
};
