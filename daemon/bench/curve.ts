// Cost of recall as the knowledge base grows: `npm run bench:curve [-- --size 1000,…,1000000 --document]`. Rows, full
// text and vectors only: writing a million markdown files would take an hour, and recall does not read them. Vectors
// and tokens are near real ones (corpus.ts). Each size is measured in a process of its own, so that memory is what a
// daemon would need, without its other parts.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { RecallCache } from '../recall/answer-cache.ts';
import { answer, type RecallParts } from '../recall/recall.ts';
import { insertRow } from '../recall/bench/corpus-store.ts';
import type { WritableDb } from '../store/db.ts';
import { openStore } from '../store/open.ts';
import { putVector, type VectorTable } from '../store/search/vectors.ts';
import { makeNotes, makeQuestions, makeVectors } from './corpus.ts';
import { ROOT } from './daemon-process.ts';
import { embedSome, REAL_VECTORS, type Some, someTokens } from './home.ts';
import { useOf, watchContention } from './machine.ts';
import { openInference } from './models.ts';
import { fillSearchCache, recallParts, vectorTables } from './recall-parts.ts';
import { percentile, timed } from './statistics.ts';
import { PROJECTS } from './vocabulary.ts';

const BATCH = 5_000;
const WARM_UP = 10;
const QUESTIONS = 60;

interface Half {
  p50: number;
  p95: number;
}

/** The figures of one process. */
interface Probe {
  size: number;
  everywhere: Half;
  inProject: Half;
  again: Half;
  /** Opening the database, and reading the search indexes into memory. */
  openMs: number;
  indexMs: number;
  /** Memory for those indexes, and for the whole process after all questions, with both embedders. */
  indexMb: number;
  rssMb: number;
  contention: number;
}

interface Point extends Probe {
  /** Milliseconds for a thousand notes, without embedding them. */
  ingestMs: number;
  bytesPerNote: number;
}

type Index = { table: VectorTable; real: Some };

function grow(db: WritableDb, indexes: Index[], from: number, to: number): void {
  for (let start = from; start < to; start += BATCH) {
    const count = Math.min(BATCH, to - start);
    db.transaction(() => {
      makeNotes(count, start + 1).forEach((note, index) =>
        insertRow(db, start + index + 1, note, Date.now() - (to - start - index) * 1_000),
      );
      for (const { table, real } of indexes)
        makeVectors(real.vectors, count, start + 2).forEach((vector, index) =>
          putVector(db, table, start + index + 1, vector, someTokens(real.tokens, index)),
        );
    })();
  }
}

const spread = (values: number[]): Half => ({ p50: percentile(values, 0.5), p95: percentile(values, 0.95) });

async function measure(parts: RecallParts, size: number) {
  const [wide, narrow, again]: [number[], number[], number[]] = [[], [], []];
  const knobs = { RECALL_CROSS_ENCODER: false };
  for (const [index, query] of makeQuestions(QUESTIONS + WARM_UP, size).entries()) {
    const project = PROJECTS[index % PROJECTS.length];
    const there = { ...parts, cache: new RecallCache() };
    const ask = (question: object) =>
      timed(() => answer(there, { query, knobs, ...question }, { quiet: true }));
    const times = [
      await ask({ global: true }),
      await ask({ query: `${query} again`, project }),
      await ask({ query: `${query} again`, project }),
    ] as const;
    if (index < WARM_UP) continue;
    [wide, narrow, again].forEach((all, at) => all.push(times[at] ?? 0));
  }
  return { everywhere: spread(wide), inProject: spread(narrow), again: spread(again) };
}

/** One size, in this process. */
async function probe(file: string, size: number): Promise<Probe> {
  const inference = await openInference(process.env);
  const others = watchContention();
  try {
    const start = performance.now();
    const { db } = openStore(file, `${file}-backups`);
    const openMs = performance.now() - start;
    const before = useOf('self').rssMb;
    const indexMs = await timed(() => fillSearchCache(db, inference));
    const indexMb = useOf('self').rssMb - before;
    const times = await measure(recallParts(db, inference, tmpdir()), size);
    db.close();
    return { size, ...times, openMs, indexMs, indexMb, rssMb: useOf('self').rssMb, contention: others() };
  } finally {
    await inference.close();
  }
}

async function draw(sizes: number[]): Promise<Point[]> {
  const folder = mkdtempSync(join(tmpdir(), 'reflect-curve-'));
  const inference = await openInference(process.env);
  const points: Point[] = [];
  try {
    const file = join(folder, 'reflect.db');
    let size = 0;
    for (const next of sizes) {
      const { db } = openStore(file, join(folder, 'backups'));
      const indexes: Index[] = [];
      for (const { role, table } of vectorTables(db, inference))
        indexes.push({ table, real: await embedSome(inference, role) });
      const growMs = await timed(() => grow(db, indexes, size, next));
      db.close();
      const point = execFileSync(
        process.execPath,
        [fileURLToPath(import.meta.url), '--probe', file, '--size', String(next)],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
      );
      points.push({
        ...(JSON.parse(point) as Probe),
        ingestMs: (growMs / (next - size)) * 1_000,
        bytesPerNote: statSync(file).size / next,
      });
      size = next;
      process.stderr.write(`· measured ${next} learnings\n`);
    }
    return points;
  } finally {
    await inference.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const COLUMNS: ReadonlyArray<readonly [head: string, cell: (point: Point) => string]> = [
  ['learnings', ({ size }) => size.toLocaleString('en').replaceAll(',', ' ')],
  ['everywhere, p50 / p95', ({ everywhere }) => halves(everywhere)],
  ['in a project', ({ inProject }) => halves(inProject)],
  ['asked again', ({ again }) => halves(again)],
  ['open', ({ openMs }) => `${openMs.toFixed(0)} ms`],
  ['read indexes', ({ indexMs }) => `${(indexMs / 1_000).toFixed(1)} s`],
  ['indexes in memory', ({ indexMb }) => `${indexMb.toFixed(0)} MB`],
  ['whole process', ({ rssMb }) => `${rssMb.toFixed(0)} MB`],
  ['disk for each', ({ bytesPerNote }) => `${(bytesPerNote / 1_000).toFixed(1)} kB`],
  ['write 1 000', ({ ingestMs }) => `${(ingestMs / 1_000).toFixed(1)} s`],
  ['other load', ({ contention }) => `${(100 * contention).toFixed(0)} %`],
];

const halves = ({ p50, p95 }: Half) => `${p50.toFixed(1)} / ${p95.toFixed(1)} ms`;

function tableOf(points: readonly Point[]): string {
  const row = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
  return [
    row(COLUMNS.map(([head]) => head)),
    row(COLUMNS.map(() => '--:')),
    ...points.map((point) => row(COLUMNS.map(([, cell]) => cell(point)))),
  ].join('');
}

const documentOf = (points: readonly Point[]) => `# Speed by size

Generated by \`npm run bench:curve -- --document\`; edits are overwritten. Measured on ${availableParallelism()} cores with Node ${process.versions.node}; "other load" is the share
of the cores that other processes took meanwhile. The first ${REAL_VECTORS} vectors are real, the others near them; no cross-encoder.

${tableOf(points)}`;

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '1000,10000,100000' },
    probe: { type: 'string' },
    document: { type: 'boolean', default: false },
  },
});
const sizes = values.size.split(',').map(Number);
if (values.probe !== undefined)
  process.stdout.write(JSON.stringify(await probe(values.probe, sizes[0] ?? 0)));
else {
  const points = await draw(sizes);
  process.stdout.write(tableOf(points));
  if (values.document) writeFileSync(join(ROOT, 'docs', 'bench-curve.md'), documentOf(points));
}
