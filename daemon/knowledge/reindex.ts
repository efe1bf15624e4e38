import { inTurns } from '../platform/turns.ts';
import { NOTE } from '../store/columns.ts';
import type { WritableDb } from '../store/db.ts';
import { replaceGraph } from '../store/graph/graph.ts';
import type { Store } from '../store/learnings/write.ts';
import { outdateAllVectors } from '../store/search/vectors.ts';
import { emptySearchIndex, rebuildSearchIndex } from '../store/search/words.ts';
import { rescanDocuments } from './hand-edits.ts';
import type { VectorIndex } from './vector-index.ts';

interface ReindexParts {
  store: Store;
  vectorIndexes: readonly VectorIndex[];
  signal: AbortSignal;
}

/** Reads the notes again and computes all that search uses from them. Vectors follow in the background. */
export async function reindex({ store, vectorIndexes, signal }: ReindexParts) {
  const { db } = store;
  const ingested = await rescanDocuments(store, signal);
  emptySearchIndex(db);
  let learnings = 0;
  await inTurns(rebuildSearchIndex(db), signal, { rests: false, onStep: (done) => (learnings = done) });
  await inTurns(rebuildGraph(db), signal, { rests: false });
  outdateAllVectors(db);
  for (const index of vectorIndexes) index.restart();
  return {
    learnings,
    ingested,
    waiting: vectorIndexes.reduce((sum, index) => sum + index.state().waiting, 0),
  };
}

function* rebuildGraph(db: WritableDb): Generator<void> {
  const next = db.prepare<[number], { seq: number; note: string; updatedAt: number }>(
    'SELECT seq, note, updated_at AS updatedAt FROM learning WHERE seq > ? ORDER BY seq LIMIT 1',
  );
  for (let row = next.get(0); row; row = next.get(row.seq)) {
    const { seq, note, updatedAt } = row;
    db.transaction(() => replaceGraph(db, seq, NOTE.read(note), updatedAt))();
    yield;
  }
}
