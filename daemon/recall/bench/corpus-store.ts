import { Note } from '#contract/entities.ts';
import { MANIFEST } from '../../../models/manifest.ts';
import { cacheFolder } from '../../../models/places.ts';
import { createInference, type EmbedderSlot, type Inference } from '../../inference/inference.ts';
import { join } from 'node:path';
import type { WritableDb } from '../../store/db.ts';
import { openMemoryStore } from '../../store/db.ts';
import { replaceGraph } from '../../store/graph/graph.ts';
import { embeddedText, indexText } from '../../store/search/words.ts';
import { shardFor } from '../../store/search/shards.ts';
import { ensureVectors, putVector } from '../../store/search/vectors.ts';
import type { LabelledSet } from './datasets.ts';
import { VectorCache } from './vector-cache.ts';

export const EMBEDDERS: readonly EmbedderSlot[] = ['embedder', 'second-embedder'];

/** The product's models, with every vector remembered between runs. */
export interface BenchModels {
  inference: Inference;
  document(slot: EmbedderSlot, text: string): Promise<Float32Array>;
  query(slot: EmbedderSlot, text: string): Promise<Float32Array>;
}

export async function openModels(crossEncoder: string): Promise<BenchModels> {
  const modelsDir = cacheFolder(process.env);
  const inference = createInference({
    modelsDir,
    embedder: 'bge-small-en-v1.5',
    secondEmbedder: 'all-MiniLM-L6-v2',
    crossEncoder,
    threads: 2,
    idleUnloadMs: 0,
    onChange: () => {},
    log: () => {},
  });
  await inference.refresh();
  const caches = new Map(
    EMBEDDERS.flatMap((slot) => {
      const model = inference.available(slot);
      if (!model)
        throw new Error(
          `the weights of the ${slot} are not there: ${MANIFEST.map(({ id }) => id).join(', ')} come with \`node models/fetch.ts\``,
        );
      const file = (kind: string) =>
        new VectorCache(join(modelsDir, '..', 'bench', `${model.id}-${kind}.bin`), model.dims);
      return [
        [`${slot}:document`, file('documents')],
        [`${slot}:query`, file('queries')],
      ] as Array<[string, VectorCache]>;
    }),
  );
  const cacheOf = (name: string) => {
    const cache = caches.get(name);
    if (!cache) throw new Error(`no cache ${name}`);
    return cache;
  };
  return {
    inference,
    document: (slot, text) =>
      cacheOf(`${slot}:document`).get(text, (missing) => inference.embedDocument(slot, missing)),
    query: (slot, text) =>
      cacheOf(`${slot}:query`).get(text, (missing) => inference.embedQuery(slot, missing)),
  };
}

/** A note as recall sees it: row, signals, graph and full text, without files and history. Row n is `doc-<n − 1>`. */
export function insertRow(db: WritableDb, seq: number, note: Note, at: number): void {
  db.prepare(
    'INSERT INTO learning (seq, id, shard, note, created_at, updated_at, document_path, document_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(seq, `doc-${seq - 1}`, shardFor(db, note), JSON.stringify(note), at, at, `doc-${seq - 1}.md`, '');
  db.prepare('INSERT INTO learning_signal (seq) VALUES (?)').run(seq);
  replaceGraph(db, seq, note, at);
  indexText(db, seq, note);
}

/** A labelled set as a knowledge base, without files: rows, full text and vectors only. Row n holds document n − 1. */
export async function fillStore(set: LabelledSet, models: BenchModels): Promise<WritableDb> {
  const db = openMemoryStore();
  const notes = set.documents.map(({ note }) => Note.parse({ scope: 'global', ...note }));
  db.transaction(() =>
    notes.forEach((note, index) => insertRow(db, index + 1, note, set.documents[index]?.at ?? 0)),
  )();
  for (const slot of EMBEDDERS) {
    const model = models.inference.available(slot);
    if (!model) continue;
    const table = ensureVectors(db, model.id, model.dims);
    for (const [index, note] of notes.entries())
      putVector(db, table, index + 1, await models.document(slot, embeddedText(note)));
  }
  return db;
}
