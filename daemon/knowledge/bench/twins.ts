import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openInference } from '../../bench/models.ts';
import type { EmbedderRole, Inference } from '../../inference/inference.ts';
import { calibrated, cosine } from '../../inference/similarity.ts';
import { agreementOf, closeness, COARSE } from '../adjudicate.ts';
import { contradictions, seemsOpposite } from '../contradictions.ts';
import { twins } from '../twins.ts';

const DATA = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const THRESHOLDS = [0.7, 0.75, 0.8, 0.85, 0.88, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99];

const EQUAL_PRECISION = [0.95, 0.93, 0.91, 0.9];

interface Pair {
  one: string;
  other: string;
  same: boolean;
}

/** Labelled pairs of sentences. Many that count as different share nearly all words: precision is a lower bound. */
function paraphrases(): Pair[] {
  const [, ...lines] = readFileSync(join(DATA, 'paraphrase', 'msr_paraphrase_train.txt'), 'utf8')
    .trim()
    .split('\n');
  return lines
    .map((line) => line.trim().split('\t'))
    .map(([quality, , , one = '', other = '']) => ({ one, other, same: quality === '1' }));
}

/** Every pair of learnings that people labelled in real sessions; one group is one lesson, in different words. */
function labelledLearnings(): Pair[] {
  const lines = readFileSync(join(DATA, 'capture', 'labels.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const labels = lines.map((line) => JSON.parse(line) as { learning: string; dup_group: string | null });
  return labels.flatMap((one, index) =>
    labels.slice(index + 1).map((other) => ({
      one: one.learning,
      other: other.learning,
      same: one.dup_group !== null && one.dup_group === other.dup_group,
    })),
  );
}

/** Similarities as in the product: each text is embedded once, as a note. */
async function similarities(
  inference: Inference,
  role: EmbedderRole,
  pairs: Pair[],
): Promise<Array<Pair & { similarity: number }>> {
  const row = inference.available(role);
  if (!row) throw new Error(`the ${role} is not available; \`node models/fetch.ts\` downloads it`);
  const vectors = new Map<string, Float32Array>();
  for (const text of new Set(pairs.flatMap(({ one, other }) => [one, other])))
    vectors.set(text, await inference.embedDocument(role, text));
  const vector = (text: string) => vectors.get(text) ?? new Float32Array();
  return pairs.map((pair) => ({
    ...pair,
    similarity: calibrated(row, cosine(vector(pair.one), vector(pair.other))),
  }));
}

type Measured = Pair & { similarity: number };

/** The same with the say of the cross-encoder, which reads what is above the coarse threshold. */
async function adjudicatedPairs(inference: Inference, measured: Measured[]): Promise<Measured[]> {
  const read: Measured[] = [];
  for (const pair of measured) {
    const { agreement } = pair.similarity >= COARSE ? await agreementOf(inference, pair.one, pair.other) : {};
    read.push({
      ...pair,
      similarity: closeness({
        similarity: pair.similarity,
        ...(agreement === undefined ? {} : { agreement }),
      }),
    });
  }
  return read;
}

/** The share of twins found where this share of the questions is right. */
function recallAt(precision: number, measured: Measured[]): number {
  let [right, best] = [0, 0];
  for (const [index, { same }] of measured.toSorted((a, b) => b.similarity - a.similarity).entries()) {
    right += same ? 1 : 0;
    if (right / (index + 1) >= precision) best = right;
  }
  return best / measured.filter(({ same }) => same).length;
}

function report(name: string, measured: Measured[]): void {
  const same = measured.filter((pair) => pair.same).length;
  console.log(
    `\n${name}: ${measured.length} pairs, ${same} say the same\nthreshold  asked  right  precision  recall`,
  );
  for (const threshold of THRESHOLDS) {
    const asked = measured.filter(({ similarity }) => similarity >= threshold);
    const right = asked.filter((pair) => pair.same).length;
    const cells = [
      threshold.toFixed(2),
      asked.length,
      right,
      (right / Math.max(1, asked.length)).toFixed(3),
      (right / Math.max(1, same)).toFixed(3),
    ];
    console.log(
      cells
        .map((cell, column) => String(cell).padStart([9, 5, 5, 9, 6][column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
  const contradictory = measured.filter(
    ({ one, other, similarity }) =>
      similarity >= contradictions.knobs.similarity.default && seemsOpposite(one, other),
  );
  console.log(
    `treated as a contradiction: ${contradictory.length}, of which say the same: ${contradictory.filter((pair) => pair.same).length}`,
  );
  for (const { one, other, similarity } of contradictory.slice(0, 8))
    console.log(`  ${similarity.toFixed(2)} ${one}\n       ${other}`);
}

if (!existsSync(DATA)) throw new Error(`the labelled data is not available: ${DATA}`);
const inference = await openInference(process.env);
console.log(`the threshold is ${twins.knobs.threshold.default} as shipped`);
for (const role of ['embedder', 'second-embedder'] as const) {
  const model = inference.available(role)?.id;
  const measured = await similarities(inference, role, paraphrases());
  report(`${model}, paraphrases`, measured);
  report(`${model}, labelled learnings`, await similarities(inference, role, labelledLearnings()));
  const reader = inference.available('cross-encoder')?.id;
  if (role !== 'embedder' || !reader) continue;
  const read = await adjudicatedPairs(inference, measured);
  report(`${model} with ${reader}, paraphrases`, read);
  for (const precision of EQUAL_PRECISION)
    console.log(
      `at a precision of ${precision}: ${recallAt(precision, measured).toFixed(3)} of the twins without ${reader}, ${recallAt(precision, read).toFixed(3)} with it`,
    );
}
await inference.close();
