import type { PortCard } from '../ports/port.ts';
import { consolidation } from './consolidation.ts';
import { conventionsDocument } from './conventions.ts';
import { observations } from './observations.ts';
import { personaFields } from './persona.ts';
import { skillRefresh } from './skill-refresh.ts';
import { skillStaleness } from './skill-staleness.ts';

/** Every port that distils many learnings. */
export const DISTILL_PORTS: readonly PortCard[] = [
  consolidation,
  observations,
  conventionsDocument,
  personaFields,
  skillRefresh,
  skillStaleness,
];
