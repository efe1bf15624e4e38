import type { Note } from '#contract/entities.ts';
import { MOMENT_PAYLOAD, type MomentPayload, NOTE } from '../columns.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { getMeta, setMeta } from '../meta.ts';
import { knowledgeVersion } from './history.ts';

/** A person's decision about a note that the judge had valued. */
export interface Decision {
  isKept: boolean;
  /** The note as it was before the decision. */
  note: Note;
  /** The moment it was written from. */
  moment: MomentPayload & { signal: string };
}

const FORGOTTEN = 'judge-reset';
const MOST = 300; // the latest ones: what a person wants changes, and so do the cues

/**
 * The notes a person kept, dropped or dismissed, oldest first. They are read from the history, so undoing a decision
 * undoes its lesson too. Archiving a learning is no decision about the judge: it may have been right for a long time.
 */
export function decisionsAboutNotes(db: ReadableDb): Decision[] {
  return db
    .rows<{ kind: string; before: string; signal: string; payload: string }>(
      `SELECT kind, before, signal, payload FROM change
       JOIN capture_window ON capture_window.id = (SELECT min(id) FROM capture_window WHERE learning_id = change.learning_id)
       WHERE actor = 'person' AND undone_by IS NULL AND change.id > :since
         AND (kind = 'promote' OR kind = 'archive' AND (before ->> '$.status' = 'candidate' OR reason = 'dismissed'))
         AND before ->> '$.metadata.judged' IS NOT NULL
       ORDER BY change.id DESC LIMIT ${MOST}`,
      { since: Number(getMeta(db, FORGOTTEN) ?? 0) },
    )
    .map(({ kind, before, signal, payload }) => ({
      isKept: kind === 'promote',
      note: NOTE.read(before),
      moment: { ...MOMENT_PAYLOAD.read(payload), signal },
    }))
    .reverse();
}

/** Decisions up to now no longer count. */
export function forgetDecisions(db: WritableDb): void {
  setMeta(db, FORGOTTEN, String(knowledgeVersion(db)));
}
