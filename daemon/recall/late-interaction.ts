import { TokenMatcher, tokensFromBytes, type TokenVectors } from '../inference/token-vectors.ts';
import type { ReadableDb } from '../store/db.ts';
import { tokensOf, type VectorTable } from '../store/search/vectors.ts';

const matcher = new TokenMatcher(); // its memory holds nothing from one question to the next

/**
 * How well each candidate matches the question token by token: the mean, over the question's tokens, of the most
 * similar token of the candidate. The embedders already read every token, so it costs no model and about a millisecond.
 * Null unless every candidate has tokens.
 */
export function matchTokens(
  db: ReadableDb,
  table: VectorTable,
  asked: TokenVectors,
  seqs: number[],
): number[] | null {
  if (asked.ids.length === 0) return null;
  const stored = tokensOf(db, table, seqs);
  if (stored.size < seqs.length) return null;
  const candidates = seqs.map((seq) => tokensFromBytes(stored.get(seq) as Buffer));
  const weights = rarity(asked, candidates);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return matcher.match(asked, candidates).map((matches) => {
    let sum = 0;
    for (let at = 0; at < matches.length; at++)
      sum += ((matches[at] as number) * (weights[at] as number)) / total;
    return sum;
  });
}

const EVERY_ID = 65_536; // ids are two bytes

/** A token that every candidate has does not tell them apart. */
function rarity(asked: TokenVectors, candidates: readonly TokenVectors[]): number[] {
  const isAsked = new Uint8Array(EVERY_ID);
  for (const id of asked.ids) isAsked[id] = 1;
  const having = new Map<number, number>();
  for (const { ids } of candidates) {
    const shared = new Set<number>();
    for (let at = 0; at < ids.length; at++) if (isAsked[ids[at] as number]) shared.add(ids[at] as number);
    for (const id of shared) having.set(id, (having.get(id) ?? 0) + 1);
  }
  return Array.from(asked.ids, (id) => Math.log((candidates.length + 1) / ((having.get(id) ?? 0) + 0.5)));
}
