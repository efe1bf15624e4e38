import { flag, integer, number } from '../../ports/knob.ts';
import { notesBetween } from '../../store/learnings/learnings.ts';
import { armFloor } from '../arm-floor.ts';
import { armPort } from '../port.ts';
import { dateOf } from '../../platform/time.ts';

/** Words that ask for the present state without naming a time. */
const CURRENT =
  /\b(?:current(?:ly)?|latest|newest|most recent|nowadays|these days|at the moment|right now|as of now)\b/i;

// Among notes that fit about equally well, the newest is current; one that hardly fits is merely new.
const FITS_AS_WELL = 0.5;
const FITTING = 5;
const WORDS_OF_A_TIME = 200; // matches by words that order the notes of a time
const CURRENT_STRENGTH = 0.55;

export const temporal = armPort({
  id: 'arm.temporal',
  seeds: ['R5'],
  doc: 'Finds what was learned in the time a question names, or the newest if it asks about now.',
  switch: flag('RECALL_TEMPORAL_ARM', true, 'Search by time'),
  knobs: {
    depth: integer('RECALL_TEMPORAL_DEPTH', {
      default: 20,
      min: 1,
      max: 500,
      doc: 'Maximum number of candidates',
    }),
  },
  evidence: 'finds',
  strength: 'coverage',
  floor: armFloor('RECALL_ARM_TEMPORAL_MIN_SCORE', 'share of the question’s words'),
  weight: number('RECALL_TEMPORAL_WEIGHT', {
    default: 4,
    min: 0,
    max: 10,
    doc: 'Weight of results of the temporal arm',
  }),
  run(_input, { db, question: { text, range }, shards, only, wordMatches }, { depth }) {
    if (range) {
      const inWindow = notesBetween(db, range.start, range.end, shards, only ? [...only] : undefined);
      const relevance = new Map(wordMatches(WORDS_OF_A_TIME).map(({ seq, score }) => [seq, score]));
      const middle = (range.start + range.end) / 2;
      const half = Math.max(1, (range.end - range.start) / 2);
      const closeness = (at: number) => Math.max(0, 1 - Math.abs(at - middle) / half);
      const result = inWindow
        .map(({ seq, at }) => ({ seq, at, words: relevance.get(seq) ?? 0 }))
        .toSorted((a, b) => b.words - a.words || closeness(b.at) - closeness(a.at))
        .slice(0, depth)
        .map(({ seq, at }, rank) => ({ seq, score: 1 / (1 + rank / 10), note: dateOf(at) }));
      return { result, says: `${inWindow.length} learned “${range.matchedText}”` };
    }
    if (!CURRENT.test(text)) return { result: [], says: 'no time in the question' };
    const fitting = wordMatches(FITTING).filter(
      ({ score }, _index, [best]) => score >= (best?.score ?? 0) * FITS_AS_WELL,
    );
    const newest = notesBetween(
      db,
      0,
      Number.MAX_SAFE_INTEGER,
      shards,
      fitting.map(({ seq }) => seq),
    ).toSorted((a, b) => b.at - a.at);
    return {
      result: newest.slice(0, 1).map(({ seq, at }) => ({ seq, score: CURRENT_STRENGTH, note: dateOf(at) })),
      says: 'the newest of those that fit: it asks for what holds now',
    };
  },
});
