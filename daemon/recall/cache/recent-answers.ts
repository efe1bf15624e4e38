import { calibrated, cosine } from '../../inference/similarity.ts';
import { seemsOpposite } from '../../knowledge/contradictions.ts';
import { flag, integer, number } from '../../ports/knob.ts';
import type { CacheEntry } from '../answer-cache.ts';
import { contentTerms } from '../../text/tokenise.ts';
import type { QuestionVector } from '../candidate.ts';
import { cachePort } from '../port.ts';

export const recentAnswers = cachePort({
  id: 'cache.recent-answers',
  seeds: ['R9'],
  doc: 'Answers a question asked again, or asked in other words, without searching again.',
  switch: flag('RECALL_CACHE', true, 'Cache answers'),
  knobs: {
    ttl: integer('RECALL_CACHE_TTL', {
      default: 3_600,
      min: 0,
      max: 86_400,
      doc: 'Seconds an answer stays in the cache',
    }),
    fuzzy: flag('RECALL_FUZZY_CACHE', true, 'Also use the cache for a question with nearly the same words'),
    threshold: number('RECALL_FUZZY_THRESHOLD', {
      default: 0.85,
      min: 0,
      max: 1,
      doc: 'Share of words two questions must have in common to count as the same',
    }),
    meaning: number('RECALL_SEMANTIC_CACHE', {
      default: 0.92,
      min: 0,
      max: 1,
      doc: 'Similarity of meaning at which two questions count as the same; 1 turns it off',
    }),
  },
  off: () => null,
  async run(
    key,
    { question, cache, embedders, leadVector, vectors, searchAhead, now },
    { ttl, fuzzy, threshold, meaning },
  ) {
    const notBefore = now() - ttl * 1_000;
    const exact = cache.exact(question.text, key, notBefore);
    if (exact) return { result: exact.candidates, says: 'answered from the cache' };
    const worded = fuzzy ? cache.byWords(contentTerms(question.text), key, notBefore, threshold) : null;
    if (worded && !seemsOpposite(worded.text, question.text))
      return { result: worded.candidates, says: `asked before as "${worded.text}"` };
    if (meaning >= 1) return { result: null, says: 'not in the cache' };
    const embedding = leadVector();
    searchAhead();
    const asked = await embedding;
    const alike =
      asked &&
      cache.byMeaning(key, notBefore, meaning, (entry) =>
        entry.vectors.length < embedders.length ? 0 : likeness([asked], entry),
      );
    // The other embedders are asked only when the leading one finds two questions alike; most are not.
    if (!alike || seemsOpposite(alike.text, question.text) || likeness(await vectors(), alike) < meaning)
      return { result: null, says: 'not in the cache' };
    return { result: alike.candidates, says: `means the same as "${alike.text}"` };
  },
  remember(key, candidates, { question: { text }, cache, startedVectors, now }) {
    const entry: CacheEntry = { text, terms: contentTerms(text), vectors: [], key, at: now(), candidates };
    cache.put(entry);
    // A larger embedder that nobody waited for is done a little later.
    startedVectors().then(
      (vectors) => (entry.vectors = vectors),
      () => {}, // then only its words are compared
    );
  },
});

/** The least of what the embedders find: one alone takes opposites for the same too easily. */
function likeness(asked: QuestionVector[], entry: CacheEntry): number {
  const each = asked.map(({ role, model, vector }) => {
    const other = entry.vectors.find((known) => known.role === role);
    return other ? calibrated(model, cosine(vector, other.vector)) : 0;
  });
  return each.length === 0 ? 0 : Math.min(...each);
}
