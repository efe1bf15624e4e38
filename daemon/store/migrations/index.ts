import type { Migration } from './migration.ts';
import { foundations } from './0001-foundations.ts';
import { recall } from './0002-recall.ts';
import { slotChanges } from './0003-slot-changes.ts';
import { signals } from './0004-signals.ts';
import { lineage } from './0005-lineage.ts';
import { writers } from './0006-writers.ts';
import { outcomes } from './0007-outcomes.ts';
import { revision } from './0008-revision.ts';
import { distill } from './0009-distill.ts';
import { sessionUses } from './0010-session-uses.ts';
import { newest } from './0011-newest.ts';
import { reviewsTakenBack } from './0012-reviews-taken-back.ts';
import { lists } from './0013-lists.ts';
import { closedGaps } from './0014-closed-gaps.ts';
import { candidates } from './0015-candidates.ts';
import { liveSessions } from './0016-live-sessions.ts';
import { undoneChanges } from './0017-undone-changes.ts';
import { knownSessions } from './0018-known-sessions.ts';
import { team } from './0019-team.ts';
import { guessedSessions } from './0020-guessed-sessions.ts';

/** Append only. A shipped migration is never edited; a mistake is fixed by the next one. */
export const MIGRATIONS: readonly Migration[] = [
  foundations,
  recall,
  slotChanges,
  signals,
  lineage,
  writers,
  outcomes,
  revision,
  distill,
  sessionUses,
  newest,
  reviewsTakenBack,
  lists,
  closedGaps,
  candidates,
  liveSessions,
  undoneChanges,
  knownSessions,
  team,
  guessedSessions,
];
