import type { Learning } from '#contract/entities.ts';
import type { Inference } from '../inference/inference.ts';
import { calibrated, cosine } from '../inference/similarity.ts';
import { historyOf } from '../store/learnings/history.ts';
import { notesOfSession } from '../store/capture/live-sessions.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import type { Store } from '../store/learnings/write.ts';
import { containment } from '../text/similarity.ts';

/**
 * The share at which a note of the same session is about what an agent recorded. On 220 labelled moments of real
 * sessions, 65 % of the words they were noticed in are this similar to the rule a person made of them; of other moments
 * of the session, 5 % are.
 */
const SAME_MATTER = 0.6;
/** The same by words alone, where there is no model. */
const SAME_WORDS = 0.5;

/**
 * The note that capture made of the moment which an agent now records in its own words: the session's own note that
 * says most of the same. A note that a person has touched, or that an agent wrote, is nobody's echo.
 */
export async function echoOf(
  { db }: Store,
  inference: Inference,
  rule: string,
  session: string,
): Promise<Learning | null> {
  const notes = notesOfSession(db, session)
    .map((id) => getLearning(db, id))
    .filter(isUntouched);
  if (notes.length === 0) return null;
  const titles = notes.map(({ title }) => title);
  const { likeness, bar } = await likenessTo(inference, rule, titles);
  const best = likeness.indexOf(Math.max(...likeness));
  return (likeness[best] ?? 0) >= bar ? (notes[best] ?? null) : null;

  function isUntouched({ id, metadata }: Learning): boolean {
    return metadata['writer'] !== 'agent' && historyOf(db, id).every(({ actor }) => actor !== 'person');
  }
}

async function likenessTo(inference: Inference, rule: string, titles: string[]) {
  const model = inference.available('embedder');
  const embed = (text: string) => inference.embedDocument('embedder', text);
  // A model that fails was reported when the note was compared with all others.
  const vectors = model && (await Promise.all([rule, ...titles].map(embed)).catch(() => null));
  const [ours, ...theirs] = vectors ?? [];
  if (!model || !ours) return { likeness: titles.map((title) => containment(rule, title)), bar: SAME_WORDS };
  return { likeness: theirs.map((other) => calibrated(model, cosine(ours, other))), bar: SAME_MATTER };
}
