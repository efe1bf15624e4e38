import { flag, integer } from '../../ports/knob.ts';
import { notesBetween } from '../../store/learnings.ts';
import { recallPort } from '../port.ts';

/** Words by which a question asks for what holds now, without naming a time. */
const CURRENT = /\b(?:current(?:ly)?|latest|newest|most recent|nowadays|these days|at the moment|right now|as of now)\b/i;

export const temporal = recallPort({
  id: 'arm.temporal',
  seeds: ['R5'],
  doc: 'Brings what was learned in the time the question names, and the newest when it asks for what holds now.',
  switch: flag('RECALL_TEMPORAL_ARM', true, 'Search by time'),
  knobs: { depth: integer('RECALL_TEMPORAL_DEPTH', { default: 20, min: 1, max: 500, doc: 'How many candidates to bring' }) },
  off: () => [],
  run(_input, { db, question: { text, range }, shards, only, wordMatches }, { depth }) {
    if (range) {
      const inWindow = notesBetween(db, range.start, range.end, shards, only ? [...only] : undefined);
      const relevance = new Map(wordMatches().map(({ seq, score }) => [seq, score]));
      const middle = (range.start + range.end) / 2;
      const half = Math.max(1, (range.end - range.start) / 2);
      const closeness = (at: number) => Math.max(0, 1 - Math.abs(at - middle) / half);
      const result = inWindow
        .map(({ seq, at }) => ({ seq, score: (relevance.get(seq) ?? 0) + closeness(at), note: new Date(at).toISOString().slice(0, 10) }))
        .toSorted((a, b) => (relevance.get(b.seq) ?? 0) - (relevance.get(a.seq) ?? 0) || b.score - a.score)
        .slice(0, depth);
      return { result, says: `${inWindow.length} learned in ${range.matchedText}` };
    }
    if (!CURRENT.test(text)) return { result: [], says: 'the question names no time' };
    const matches = wordMatches().slice(0, depth).map(({ seq }) => seq);
    const newest = notesBetween(db, 0, Number.MAX_SAFE_INTEGER, shards, matches).toSorted((a, b) => b.at - a.at);
    return { result: newest.map(({ seq, at }, index) => ({ seq, score: 1 / (index + 1), note: new Date(at).toISOString().slice(0, 10) })), says: 'the newest first: it asks for what holds now' };
  },
});
