// What recall costs as the knowledge base grows: `npm run bench:curve [-- --size 1000,…,300000]`. Rows, full text and vectors
// only: 300 000 markdown files would take a quarter of an hour to write and are not read by a recall.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { EmbedderSlot, Inference } from '../inference/inference.ts';
import { Settings } from '../platform/settings.ts';
import { RecallCache } from '../recall/answer-cache.ts';
import { answer, type RecallParts } from '../recall/recall.ts';
import { insertRow } from '../recall/bench/corpus-store.ts';
import { embeddedText } from '../store/search/words.ts';
import { KNOBS } from '../registry.ts';
import { openStore, type WritableDb } from '../store/db.ts';
import { ensureVectors, putVector, type VectorTable } from '../store/search/vectors.ts';
import { makeNotes, makeQuestions, makeVectors } from './corpus.ts';
import { EMBEDDER_SLOTS, openInference } from './models-here.ts';
import { percentile, timed } from './statistics.ts';
import { PROJECTS } from './vocabulary.ts';

const BATCH = 10_000;
const REAL = 100;
const QUESTIONS = 60;

interface Index {
  slot: EmbedderSlot;
  table: VectorTable;
  real: Float32Array[];
}

async function indexesOf(db: WritableDb, inference: Inference): Promise<Index[]> {
  const texts = makeNotes(REAL).map(embeddedText);
  const indexes: Index[] = [];
  for (const slot of EMBEDDER_SLOTS) {
    const model = inference.available(slot);
    if (!model) continue;
    const real: Float32Array[] = [];
    for (const text of texts) real.push(await inference.embedDocument(slot, text));
    indexes.push({ slot, table: ensureVectors(db, model.id, model.dims), real });
  }
  return indexes;
}

function grow(db: WritableDb, indexes: Index[], from: number, to: number): void {
  for (let start = from; start < to; start += BATCH) {
    const count = Math.min(BATCH, to - start);
    db.transaction(() => {
      makeNotes(count, start + 1).forEach((note, index) =>
        insertRow(db, start + index + 1, note, Date.now() - (to - start - index) * 1_000),
      );
      for (const { table, real } of indexes)
        makeVectors(real, count, start + 2).forEach((vector, index) =>
          putVector(db, table, start + index + 1, vector),
        );
    })();
  }
}

const ms = (values: number[], share: number) => percentile(values, share).toFixed(1).padStart(8);

async function measure(parts: RecallParts, size: number, bytes: number): Promise<string> {
  const [wide, narrow, again]: [number[], number[], number[]] = [[], [], []];
  for (const [index, query] of makeQuestions(QUESTIONS + 10, size).entries()) {
    const knobs = { RECALL_CROSS_ENCODER: false };
    const project = PROJECTS[index % PROJECTS.length];
    const everywhere = await timed(() =>
      answer({ ...parts, cache: new RecallCache() }, { query, global: true, knobs }, { quiet: true }),
    );
    const there = { ...parts, cache: new RecallCache() };
    const here = await timed(() =>
      answer(there, { query: `${query} again`, project, knobs }, { quiet: true }),
    );
    const cached = await timed(() =>
      answer(there, { query: `${query} again`, project, knobs }, { quiet: true }),
    );
    if (index < 10) continue; // warming up
    wide.push(everywhere);
    narrow.push(here);
    again.push(cached);
  }
  return `${String(size).padStart(8)} ${ms(narrow, 0.5)} ${ms(narrow, 0.95)} ${ms(wide, 0.5)} ${ms(wide, 0.95)} ${ms(again, 0.95)} ${(bytes / 1e6).toFixed(0).padStart(8)}`;
}

const { values } = parseArgs({
  options: { size: { type: 'string', default: '1000,3000,10000,30000,100000,300000' } },
});
const folder = mkdtempSync(join(tmpdir(), 'reflect-curve-'));
const inference = await openInference(process.env);
try {
  const file = join(folder, 'reflect.db');
  const { db } = openStore(file, join(folder, 'backups'));
  const indexes = await indexesOf(db, inference);
  const parts: RecallParts = {
    db,
    settings: new Settings(
      join(folder, 'config.toml'),
      {},
      KNOBS.map(({ knob }) => knob),
    ),
    inference,
    indexes: indexes.map(({ slot, table }) => ({ slot, table, generation: 0 })),
    cache: new RecallCache(),
    now: Date.now,
  };
  process.stdout.write(
    '          in a project (ms)     everywhere (ms)    cached       MB\n learnings     p50      p95       p50      p95      p95   on disk\n',
  );
  let size = 0;
  for (const next of values.size.split(',').map(Number)) {
    grow(db, indexes, size, next);
    size = next;
    process.stdout.write(`${await measure(parts, size, statSync(file).size)}\n`);
  }
  db.close();
} finally {
  await inference.close();
  rmSync(folder, { recursive: true, force: true });
}
