import type { Inbox } from '#contract/distill.ts';
import { conventionsDocument, getConventions } from '../distill/conventions.ts';
import { staleSkills } from '../distill/skill-staleness.ts';
import { lingeringConventions } from '../store/distill/conventions.ts';
import { openProposals } from '../knowledge/slot-proposals.ts';
import { changeMark } from '../store/learnings/history.ts';
import { listStrays } from '../store/learnings/documents.ts';
import { listCandidates } from '../store/learnings/candidates.ts';
import { waitingBatches } from '../store/learnings/import-batches.ts';
import { waitingNotes } from '../store/learnings/list.ts';
import { listGaps, openQuestions } from '../store/learnings/questions.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { MINUTE } from '../platform/time.ts';

/** Listed per kind; decided ones make room for the next. */
const MOST_WAITING = 200;
/** More at a time would not be read. */
const BEST_CANDIDATES = 20;
/** Time within which a stale document is regenerated automatically. */
const SETTLES_WITHIN = 10 * MINUTE;

/** Everything that waits for a person. The Inbox lists it and the status counts it, so the two cannot differ. */
export function inboxOf(parts: DaemonParts): () => Inbox {
  const {
    store: { db },
    now,
  } = parts;
  // Cached because the status is requested every few seconds: the list changes only with a write or as a minute passes.
  const mark = () => `${changeMark(db)} ${Math.floor(now() / MINUTE)}`;
  let known: { mark: string; inbox: Inbox } | null = null;
  return () => {
    if (known?.mark !== mark()) known = { inbox: readInbox(parts), mark: mark() };
    return known.inbox;
  };
}

/** Candidates do not count: they ask for no attention. An import counts once, however many notes it brought. */
export const countWaiting = ({
  questions,
  notes: { imported: _, ...notes },
  batches,
  slots,
  strays,
  skills,
  conventions,
  gaps,
  publish,
}: Inbox): number =>
  [questions, ...Object.values(notes), batches, slots, strays, skills, conventions, gaps, publish].reduce(
    (sum, kind) => sum + kind.length,
    0,
  );

function readInbox(parts: DaemonParts): Inbox {
  const { store, settings } = parts;
  const { db } = store;
  const waiting = listCandidates(db, { limit: BEST_CANDIDATES });
  return {
    questions: openQuestions(db),
    notes: waitingNotes(db, MOST_WAITING),
    batches: waitingBatches(db),
    slots: openProposals({ db }),
    strays: listStrays(db).slice(0, MOST_WAITING),
    skills: staleSkills(store, null, settings.resolver()).slice(0, MOST_WAITING),
    conventions: unwritten(parts),
    // Asked once, it may be a typing mistake: only what comes up again is worth a person's time.
    gaps: listGaps(db).filter(({ sessions }) => sessions > 1),
    publish: parts.team.waiting(),
    candidates: { best: waiting.items, total: waiting.total },
  };
}

/** Documents that stay stale because they could not be written or writing is switched off. */
function unwritten({ store, paths, settings, now }: DaemonParts): Inbox['conventions'] {
  const isKept = settings.resolver()(conventionsDocument.switch);
  return lingeringConventions(store.db, now() - SETTLES_WITHIN)
    .filter(({ refreshedAt }) => isKept || refreshedAt > 0)
    .map(({ project }) => getConventions({ store, folder: paths.conventions }, project));
}
