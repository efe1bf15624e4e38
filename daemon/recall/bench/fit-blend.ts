// Fits the weights of blend.ts on labelled sets: `node daemon/recall/bench/fit-blend.ts [--data DIR] [--write]`.
// A weight is how much one unit of an evidence adds to a candidate's log-odds of being the answer; the loss is that of
// choosing the relevant ones among all candidates of a question. Sets count equally, however large; notes, which the
// product holds, count double.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { calibrated, cosine } from '../../inference/similarity.ts';
import { searchByWords } from '../../store/search/words.ts';
import { searchByVector, vectorsOf } from '../../store/search/vectors.ts';
import { describe, TRAITS } from '../blend.ts';
import { LOOKED_AT, MOSTLY_CODE, shareOfCode } from '../share-of-code.ts';
import { matchTokens } from '../late-interaction.ts';
import type { EmbedderRole } from '../../inference/inference.ts';
import { type BenchModels, EMBEDDER_ROLES, openModels } from '../../bench/models.ts';
import { vectorTables } from '../../bench/recall-parts.ts';
import { fillStore } from './corpus-store.ts';
import { type LabelledSet, readSets } from './datasets.ts';

const DEPTH = 50;

interface Example {
  set: string;
  fold: number;
  /** One row a candidate: every feature times every trait. */
  rows: Float64Array[];
  relevant: boolean[];
}

const FOLDS = 5;
const kindOf = (name: string) => name.split('/')[0] ?? name;

/** The evidence that a table of weights is for: which embedders, and whether tokens are compared. */
interface Kind {
  roles: readonly EmbedderRole[];
  withTokens: boolean;
}

async function examplesOf(
  set: LabelledSet,
  models: BenchModels,
  setIndex: number,
  { roles, withTokens }: Kind,
): Promise<Example[]> {
  const db = await fillStore(set, models);
  const embedders = vectorTables(db, models.inference)
    .filter(({ role }) => roles.includes(role))
    .map(({ role, table }) => ({ role, table, model: models.inference.available(role) }));
  const lead = embedders.at(-1);
  const examples: Example[] = [];
  for (const [index, { query, relevant }] of set.queries.entries()) {
    if (!lead) continue;
    const vectors = await Promise.all(embedders.map(({ role }) => models.query(role, query)));
    const words = new Map(searchByWords(db, query, null, DEPTH).map(({ seq, score }) => [seq, score]));
    const near = embedders.map(({ table }, which) =>
      searchByVector(db, table, vectors[which] as Float32Array, null, DEPTH).map(({ seq }) => seq),
    );
    const code = shareOfCode(db, (near.at(-1) ?? []).slice(0, LOOKED_AT));
    const found = near.at(code > MOSTLY_CODE ? 0 : -1) ?? [];
    const seqs = [...new Set([...found, ...words.keys()])];
    const similarities = embedders.map(({ table, model }, which) => {
      const stored = vectorsOf(db, table, seqs);
      const asked = vectors[which];
      return seqs.map((seq) =>
        model && asked ? calibrated(model, cosine(asked, stored.get(seq) ?? asked)) : 0,
      );
    });
    if (withTokens && code > MOSTLY_CODE) continue;
    const { features, traits } = describe({
      words: seqs.map((seq) => words.get(seq) ?? 0),
      similarities,
      tokens: withTokens
        ? matchTokens(db, lead.table, await models.queryTokens(lead.role, query), seqs)
        : null,
      code,
    });
    examples.push({
      set: kindOf(set.name),
      // A conversation is held out as a whole; questions of one corpus are independent enough to be split.
      fold: set.name.includes('/') ? setIndex % FOLDS : index % FOLDS,
      rows: seqs.map((_, candidate) =>
        Float64Array.from(
          traits.flatMap((trait) => features.map((values) => trait * (values[candidate] ?? 0))),
        ),
      ),
      relevant: seqs.map((seq) => relevant.includes(set.documents[seq - 1]?.key ?? '')),
    });
  }
  db.close();
  return examples;
}

const weightOf = (set: string) => (set === 'notes' ? 2 : 1);

function dot(row: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < row.length; at++) sum += (row[at] as number) * (weights[at] as number);
  return sum;
}

function addTo(sum: Float64Array, row: Float64Array, times: number): void {
  for (let at = 0; at < row.length; at++) sum[at] = (sum[at] as number) + times * (row[at] as number);
}

/** Full-batch Adam; the problem is convex and small, so this settles in a few hundred steps. */
function fit(examples: Example[], shrinkage = 0.02, steps = 300, rate = 0.05): Float64Array {
  const size = examples[0]?.rows[0]?.length ?? 0;
  const weights = new Float64Array(size);
  const [mean, square] = [new Float64Array(size), new Float64Array(size)];
  const sizes = new Map<string, number>();
  for (const { set } of examples) sizes.set(set, (sizes.get(set) ?? 0) + 1);
  const allWeights = [...sizes.keys()].reduce((sum, set) => sum + weightOf(set), 0);
  for (let step = 1; step <= steps; step++) {
    const gradient = weights.map((weight) => shrinkage * weight);
    for (const { set, rows, relevant } of examples) {
      const right = relevant.filter(Boolean).length;
      if (right === 0) continue;
      const scores = rows.map((row) => dot(row, weights));
      const top = Math.max(...scores);
      const odds = scores.map((score) => Math.exp(score - top));
      const total = odds.reduce((sum, value) => sum + value, 0);
      const share = weightOf(set) / ((sizes.get(set) ?? 1) * allWeights);
      rows.forEach((row, candidate) => {
        const error = ((odds[candidate] ?? 0) / total - (relevant[candidate] ? 1 / right : 0)) * share;
        if (Math.abs(error) > 1e-9) addTo(gradient, row, error);
      });
    }
    gradient.forEach((slope, index) => {
      mean[index] = 0.9 * (mean[index] ?? 0) + 0.1 * slope;
      square[index] = 0.999 * (square[index] ?? 0) + 0.001 * slope * slope;
      weights[index] =
        (weights[index] ?? 0) -
        (rate * ((mean[index] ?? 0) / (1 - 0.9 ** step))) /
          (Math.sqrt((square[index] ?? 0) / (1 - 0.999 ** step)) + 1e-8);
    });
  }
  return weights;
}

function reciprocalRanks(examples: Example[], weights: Float64Array): Record<string, number[]> {
  const ranks: Record<string, number[]> = {};
  for (const { set, rows, relevant } of examples) {
    const order = rows
      .map((row, candidate) => ({ score: dot(row, weights), right: relevant[candidate] }))
      .toSorted((a, b) => b.score - a.score);
    const rank = order.findIndex(({ right }) => right);
    (ranks[set] ??= []).push(rank >= 0 && rank < 10 ? 1 / (rank + 1) : 0);
  }
  return ranks;
}

function crossValidated(examples: Example[]): string {
  const all: Record<string, number[]> = {};
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = fit(examples.filter((example) => example.fold !== fold));
    for (const [set, ranks] of Object.entries(
      reciprocalRanks(
        examples.filter((example) => example.fold === fold),
        weights,
      ),
    ))
      (all[set] ??= []).push(...ranks);
  }
  return Object.entries(all)
    .map(([set, ranks]) => `${set} ${(ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length).toFixed(3)}`)
    .join(', ');
}

const asTable = (weights: Float64Array, features: number) =>
  TRAITS.map((_, trait) =>
    Array.from(
      weights.subarray(trait * features, (trait + 1) * features),
      (weight) => Math.round(weight * 1_000) / 1_000,
    ),
  );

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    write: { type: 'boolean', default: false },
  },
});
const models = await openModels();
const sets = readSets(values.data);
const fitted: Record<string, number[][]> = { none: [[1, 0]] };
const KINDS: Record<string, Kind> = {
  one: { roles: ['embedder'], withTokens: false },
  lead: { roles: ['second-embedder'], withTokens: true },
  two: { roles: EMBEDDER_ROLES, withTokens: false },
  tokens: { roles: EMBEDDER_ROLES, withTokens: true },
};
for (const [name, kind] of Object.entries(KINDS)) {
  const examples: Example[] = [];
  for (const [index, set] of sets.entries()) examples.push(...(await examplesOf(set, models, index, kind)));
  process.stdout.write(`${name}: MRR@10, cross-validated: ${crossValidated(examples)}\n`);
  fitted[name] = asTable(fit(examples), 2 + kind.roles.length + (kind.withTokens ? 1 : 0));
}
if (values.write)
  writeFileSync(
    new URL('../blend-weights.json', import.meta.url),
    `${JSON.stringify(fitted, null, 1)
      .replace(/\n {3}/g, ' ')
      .replace(/\n {2}\]/g, ' ]')}\n`,
  );
process.stdout.write(`${JSON.stringify(fitted)}\n`);
await models.inference.close();
