import type { Learning } from '#contract/entities.ts';
import type { Output } from '#contract/methods.ts';
import type { ReadableDb } from '../store/db.ts';
import { titleOfSession } from '../store/outcomes/session-uses.ts';
import { payloadFor } from '../store/capture/moments.ts';
import { MOMENT_PAYLOAD } from '../store/columns.ts';

/** The dialogue a learning came from. It was redacted before it was stored, so it can be shown as it is. */
export function excerptOf(db: ReadableDb, { id, provenance }: Learning): Output<'learnings.excerpt'> {
  const sessionTitle = titleOfSession(db, provenance.session);
  const payload = payloadFor(db, id);
  if (payload) return { available: true, why: '', turns: MOMENT_PAYLOAD.read(payload).turns, sessionTitle };
  if (provenance.quote)
    return {
      available: true,
      why: 'Only the quote was kept.',
      turns: [{ role: 'human', text: provenance.quote, at: null, trigger: true }],
      sessionTitle,
    };
  return {
    available: false,
    why: 'This learning was not captured from a transcript.',
    turns: [],
    sessionTitle,
  };
}
