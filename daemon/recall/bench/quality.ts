// Quality of recall on labelled questions: `npm run bench:quality [-- --data DIR --sample N --json]`.
import { parseArgs } from 'node:util';
import { type BenchModels, crossEncoderChoice, openModels } from '../../bench/models.ts';
import { recallParts } from '../../bench/recall-parts.ts';
import type { WritableDb } from '../../store/db.ts';
import { answer, type RecallParts } from '../recall.ts';
import { fillStore } from './corpus-store.ts';
import { measureDates } from './dates.ts';
import { type LabelledQuery, type LabelledSet, readSets } from './datasets.ts';
import { average, judge, type Quality } from './metrics.ts';
import { ablations, IN_FULL, SIMPLE, type System, WITHOUT_CROSS_ENCODER } from './systems.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    sample: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
    'no-ablation': { type: 'boolean', default: false },
  },
});
const GATES = [0.2, 0.3];

/** A set with its store open, asked through the product's own recall. */
interface Asked {
  set: LabelledSet;
  parts: RecallParts;
}

const kindOf = ({ name }: LabelledSet) => name.split('/')[0] ?? name;
const say = (line: string) => process.stderr.write(`${line}\n`);

const open = (set: LabelledSet, db: WritableDb, { inference }: BenchModels): Asked => ({
  set,
  parts: recallParts(db, inference, values.data, () => Date.UTC(2026, 5, 15)),
});

async function ask(
  { set, parts }: Asked,
  { query }: LabelledQuery,
  knobs: Record<string, unknown>,
): Promise<string[]> {
  const { hits } = await answer(
    parts,
    { query: query.slice(0, 4_000), global: true, limit: 10, knobs },
    { quiet: true },
  );
  return hits.map(({ learning }) => set.documents[Number(learning.id.slice('doc-'.length))]?.key ?? '');
}

/** Evenly spread over a set, so that a smaller sample still sees all of it. */
function sampleOf(set: LabelledSet, size: number): LabelledQuery[] {
  const step = Math.max(1, set.queries.length / size);
  return Array.from(
    { length: Math.min(size, set.queries.length) },
    (_, index) => set.queries[Math.floor(index * step)],
  ).filter((query) => query !== undefined);
}

type Table = Record<string, Record<string, Quality>>;

async function measure(all: Asked[], systems: System[], sizeOf: (asked: Asked) => number): Promise<Table> {
  const table: Table = {};
  for (const { name, knobs } of systems) {
    const byKind: Record<string, Quality[]> = {};
    for (const asked of all) {
      for (const query of sampleOf(asked.set, sizeOf(asked)))
        (byKind[kindOf(asked.set)] ??= []).push(judge(await ask(asked, query, knobs), query.relevant));
    }
    table[name] = Object.fromEntries(
      Object.entries(byKind).map(([kind, qualities]) => [kind, average(qualities)]),
    );
    say(`measured ${name}`);
  }
  return table;
}

interface GateFigures {
  recall10: Record<string, number>;
  answered: number;
  wrongAnswered: number;
}

/** Share of questions that pass the gate: with an answer (should be all), for the wrong knowledge base (none). */
async function measureGate(all: Asked[], size: number): Promise<Record<string, GateFigures>> {
  const figures: Record<string, GateFigures> = {};
  for (const least of [0, ...GATES]) {
    const knobs = { ...WITHOUT_CROSS_ENCODER.knobs, REFLECT_RECALL_MIN_OVERLAP: least };
    const right: Record<string, Quality[]> = {};
    let [asked, answered, wrong, wrongAnswered] = [0, 0, 0, 0];
    for (const [index, there] of all.entries()) {
      const stranger = all[(index + Math.ceil(all.length / 2)) % all.length];
      for (const query of sampleOf(there.set, size)) {
        const found = await ask(there, query, knobs);
        (right[kindOf(there.set)] ??= []).push(judge(found, query.relevant));
        asked++;
        answered += found.length > 0 ? 1 : 0;
        if (!stranger || kindOf(stranger.set) === kindOf(there.set)) continue;
        wrong++;
        wrongAnswered += (await ask(stranger, query, knobs)).length > 0 ? 1 : 0;
      }
    }
    figures[least === 0 ? 'gate off' : `gate at ${least}`] = {
      recall10: Object.fromEntries(
        Object.entries(right).map(([kind, qualities]) => [kind, average(qualities).recall10]),
      ),
      answered: answered / asked,
      wrongAnswered: wrong === 0 ? 0 : wrongAnswered / wrong,
    };
  }
  return figures;
}

const COLUMNS: Array<[keyof Quality, string]> = [
  ['recall5', 'R@5'],
  ['recall10', 'R@10'],
  ['mrr', 'MRR'],
  ['ndcg', 'nDCG'],
];

function printTable(title: string, table: Table): void {
  const kinds = Object.keys(Object.values(table)[0] ?? {});
  const width = Math.max(...Object.keys(table).map((name) => name.length));
  const lines = [
    title,
    ''.padEnd(width) + kinds.map((kind) => `  ${kind}`.padEnd(4 + COLUMNS.length * 6)).join(''),
  ];
  lines.push(
    ''.padEnd(width) +
      kinds.map(() => `  ${COLUMNS.map(([, head]) => head.padStart(5)).join(' ')}  `).join(''),
  );
  for (const [name, row] of Object.entries(table)) {
    lines.push(
      name.padEnd(width) +
        kinds
          .map((kind) => `  ${COLUMNS.map(([field]) => (row[kind]?.[field] ?? 0).toFixed(3)).join(' ')}  `)
          .join(''),
    );
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

const size = Number(values.sample);
const models = await openModels(crossEncoderChoice(process.env));
const sets = readSets(values.data);
if (sets.length === 0) throw new Error(`there is no labelled set in ${values.data}`);
const all: Asked[] = [];
for (const set of sets) {
  all.push(open(set, await fillStore(set, models), models));
  say(`filled ${set.name}: ${set.documents.length} documents, ${set.queries.length} questions`);
}
// Several conversations share their kind's sample, so that each kind weighs about the same.
const share =
  (limit: number) =>
  ({ set }: Asked) =>
    Math.ceil(limit / sets.filter((other) => kindOf(other) === kindOf(set)).length);
const reranker = models.inference.available('cross-encoder');
const systems = [...SIMPLE, WITHOUT_CROSS_ENCODER];
const everything = await measure(all, systems, () => Infinity);
const sampled = reranker ? await measure(all, [...systems, IN_FULL], share(size)) : {};
const worth = values['no-ablation']
  ? {}
  : await measure(all, [WITHOUT_CROSS_ENCODER, ...ablations()], share(size));
const gate = await measureGate(all, Math.ceil(size / 4));
const dates = measureDates(values.data);
if (values.json)
  process.stdout.write(
    `${JSON.stringify({ everything, sampled, crossEncoder: reranker?.id ?? null, worth, gate, dates }, null, 2)}\n`,
  );
else {
  printTable('All questions', everything);
  if (reranker)
    printTable(`A sample of ${size} questions a kind, with the cross-encoder ${reranker.id}`, sampled);
  else
    process.stdout.write(
      'No cross-encoder is here, so the last row is missing; REFLECT_CE_MODEL may point to one.\n\n',
    );
  if (!values['no-ablation'])
    printTable(
      `Worth of each port: the shipped pipeline with one switch flipped (sample of ${size} per kind)`,
      worth,
    );
  for (const [name, figures] of Object.entries(gate)) {
    const recall = Object.entries(figures.recall10)
      .map(([kind, value]) => `${kind} ${value.toFixed(3)}`)
      .join(', ');
    process.stdout.write(
      `${name.padEnd(12)} recall@10 ${recall}; answers ${(100 * figures.answered).toFixed(0)} % of the questions it can answer and ${(100 * figures.wrongAnswered).toFixed(0)} % of those asked of the wrong knowledge base\n`,
    );
  }
}
if (dates && !values.json)
  process.stdout.write(
    `\nDates: ${(100 * dates.exact).toFixed(2)} % of ${dates.cases} read exactly, ${(100 * dates.wrongRange).toFixed(2)} % got a range where there is none\n${Object.entries(
      dates.scripts,
    )
      .map(
        ([script, { cases, exact, exactOrRefused }]) =>
          `  ${script}: ${(100 * exact).toFixed(2)} % of ${cases} exactly, ${(100 * exactOrRefused).toFixed(2)} % exactly or not at all\n`,
      )
      .join('')}`,
  );
await models.inference.close();
