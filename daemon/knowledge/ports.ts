import type { PortCard } from '../ports/port.ts';
import { contradictions } from './contradictions.ts';
import { forgetting } from './forget.ts';
import { graphMaintenance } from './graph-maintenance.ts';
import { recurrence } from './same-meaning.ts';
import { relationTypes } from './relation-types.ts';
import { retraction } from './retract.ts';
import { beliefRevision } from './revise.ts';
import { twins } from './twins.ts';
import { volatileSignals } from './volatile-signals.ts';

/** The ports that decide how knowledge is kept. */
export const KNOWLEDGE_PORTS: readonly PortCard[] = [
  relationTypes,
  beliefRevision,
  twins,
  recurrence,
  contradictions,
  retraction,
  volatileSignals,
  forgetting,
  graphMaintenance,
];
