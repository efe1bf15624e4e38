// Cost of recall as the knowledge base grows: `npm run bench:curve [-- --size 1000,…,300000]`. Rows, full text and vectors
// only: writing 300 000 markdown files would take a quarter of an hour, and recall does not read them.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RecallCache } from '../recall/answer-cache.ts';
import { answer, type RecallParts } from '../recall/recall.ts';
import { insertRow } from '../recall/bench/corpus-store.ts';
import type { WritableDb } from '../store/db.ts';
import { openStore } from '../store/open.ts';
import { putVector, type VectorTable } from '../store/search/vectors.ts';
import { makeNotes, makeQuestions, makeVectors } from './corpus.ts';
import { embedSome, type Some, someTokens } from './home.ts';
import { openInference } from './models.ts';
import { fillSearchCache, recallParts, vectorTables } from './recall-parts.ts';
import { percentile, timed } from './statistics.ts';
import { PROJECTS } from './vocabulary.ts';

const BATCH = 10_000;
const QUESTIONS = 60;

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

const ms = (values: number[], share: number) => percentile(values, share).toFixed(1).padStart(8);

async function measure(parts: RecallParts, size: number, bytes: number): Promise<string> {
  const [wide, narrow, again]: [number[], number[], number[]] = [[], [], []];
  for (const [index, query] of makeQuestions(QUESTIONS + 10, size).entries()) {
    const knobs = { RECALL_CROSS_ENCODER: false };
    const project = PROJECTS[index % PROJECTS.length];
    const everywhere = await timed(() => answer(parts, { query, global: true, knobs }, { quiet: true }));
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
  const parts = recallParts(db, inference, folder);
  const indexes: Index[] = [];
  for (const { role, table } of vectorTables(db, inference))
    indexes.push({ table, real: await embedSome(inference, role) });
  process.stdout.write(
    '          in a project (ms)     everywhere (ms)    cached       MB\n learnings     p50      p95       p50      p95      p95   on disk\n',
  );
  let size = 0;
  for (const next of values.size.split(',').map(Number)) {
    grow(db, indexes, size, next);
    size = next;
    fillSearchCache(db, inference);
    process.stdout.write(`${await measure(parts, size, statSync(file).size)}\n`);
  }
  db.close();
} finally {
  await inference.close();
  rmSync(folder, { recursive: true, force: true });
}
