import { calibrated, cosine } from '../../inference/similarity.ts';
import { flag } from '../../ports/knob.ts';
import type { ReadableDb } from '../../store/db.ts';
import { namesOf } from '../../store/learnings/learnings.ts';
import { vectorsOf } from '../../store/search/vectors.ts';
import { isCode } from '../../text/is-code.ts';
import { blendScores, type Evidence } from '../blend.ts';
import type { Candidate, QuestionVector } from '../candidate.ts';
import { matchTokens } from '../late-interaction.ts';
import { type ArmResult, byScore, linksIn, type RecallContext, recallPort } from '../port.ts';

export const adaptive = recallPort({
  id: 'fuse.adaptive',
  seeds: [],
  doc: 'Weighs words against meaning for each question, by how clear the results of each arm are and how well they agree.',
  switch: flag(
    'RECALL_ADAPTIVE_FUSION',
    true,
    'Merge the arms by learned, adaptive weights; off merges by reciprocal rank',
  ),
  knobs: {
    lateInteraction: flag('RECALL_LATE_INTERACTION', true, 'Also compare question and notes token by token'),
  },
  off: () => [],
  async run(arms, context, { lateInteraction }) {
    const seqs = [...new Set(arms.flatMap(({ candidates }) => candidates.map(({ seq }) => seq)))];
    if (seqs.length === 0) return { result: [], says: 'no arm found anything' };
    const evidence = await gather(seqs, arms, context, lateInteraction);
    const { scores, says } = blendScores(evidence);
    const finds = arms.filter(({ evidence: kind }) => kind === 'finds').map(weighed);
    const total = seqs.map((seq, index) =>
      finds.reduce((sum, worth) => sum + (worth.get(seq) ?? 0), scores[index] ?? 0),
    );
    const best = Math.max(...total);
    const places = arms.map(placesIn);
    const links = linksIn(arms);
    const result = seqs.map((seq, index): Candidate => ({
      seq,
      // Relative to the best: 1 for it, e⁻¹ for one a whole unit behind. Later steps multiply, so zero must mean
      // nothing.
      score: Math.exp((total[index] ?? 0) - best),
      ...similarityOf(evidence, index),
      ...links.get(seq),
      note: places.flatMap((placeOf) => placeOf(seq)).join(', '),
    }));
    return { result: byScore(result), says: `${seqs.length} candidates; ${says}` };
  },
});

/** The evidence of each kind for each candidate, also for those another arm brought. */
async function gather(
  seqs: number[],
  arms: ArmResult[],
  { db, vectors }: RecallContext,
  lateInteraction: boolean,
): Promise<Evidence> {
  const words = new Map(
    arms
      .filter(({ evidence }) => evidence === 'words')
      .flatMap(({ candidates }) => candidates.map(({ seq, score }) => [seq, score])),
  );
  const byMeaning = arms.some(({ evidence, candidates }) => evidence === 'meaning' && candidates.length > 0);
  const embedders = byMeaning ? await vectors() : [];
  const byEmbedder = embedders.map((embedder) =>
    similarities(embedder, vectorsOf(db, embedder.table, seqs), seqs),
  );
  const code = shareOfCode(db, bestOf(seqs, byEmbedder[0] ?? []));
  const reader = embedders.find(({ tokens }) => tokens);
  return {
    words: seqs.map((seq) => words.get(seq) ?? 0),
    similarities: byEmbedder,
    tokens:
      lateInteraction && reader?.tokens && code <= MOSTLY_CODE
        ? matchTokens(db, reader.table, reader.tokens, seqs)
        : null,
    code,
  };
}

/** From this share of code on, tokens are not compared: a question and the code that answers it have few in common. */
export const MOSTLY_CODE = 0.5;
const LOOKED_AT = 10;

export function bestOf(seqs: number[], similarity: number[]): number[] {
  return seqs
    .map((seq, index) => ({ seq, score: similarity[index] ?? 0 }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, LOOKED_AT)
    .map(({ seq }) => seq);
}

export function shareOfCode(db: ReadableDb, seqs: number[]): number {
  const names = [...namesOf(db, seqs).values()];
  return names.filter(({ title }) => isCode(title)).length / Math.max(1, names.length);
}

function similarities(
  { model, vector }: QuestionVector,
  stored: Map<number, Float32Array>,
  seqs: number[],
): number[] {
  return seqs.map((seq) => {
    const found = stored.get(seq);
    return found ? calibrated(model, cosine(vector, found)) : 0;
  });
}

/**
 * The weight of each embedder's opinion where both have one. Of the two MiniLM tells foreign questions apart better:
 * with equal shares 27 % of the questions about code that are asked of people's notes pass the gate, with these 21 %,
 * and as many of the right ones.
 */
const SHARES = [0.35, 0.65];

function similarityOf({ similarities: lists }: Evidence, index: number): { similarity?: number } {
  const [first, second] = lists.map((list) => list[index] ?? 0);
  if (first === undefined) return {};
  const [shareOfFirst = 0, shareOfSecond = 0] = SHARES;
  return { similarity: second === undefined ? first : shareOfFirst * first + shareOfSecond * second };
}

/** The bonus for an arm's finds. Their scores, 0 to 1, are strengths of a find, not degrees of similarity. */
function weighed({ weight, candidates }: ArmResult): Map<number, number> {
  return new Map(candidates.map(({ seq, score }) => [seq, weight * score]));
}

function placesIn({ arm, candidates }: ArmResult): (seq: number) => string[] {
  const ranks = new Map(candidates.map(({ seq }, rank) => [seq, rank]));
  return (seq) => {
    const rank = ranks.get(seq);
    return rank === undefined ? [] : [`${arm} #${rank + 1}`];
  };
}
