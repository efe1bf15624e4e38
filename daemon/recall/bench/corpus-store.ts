import { Note } from '#contract/entities.ts';
import type { WritableDb } from '../../store/db.ts';
import { openMemoryStore } from '../../store/open.ts';
import { replaceGraph } from '../../store/graph/graph.ts';
import { embeddedText } from '../../store/search/note-text.ts';
import { indexText } from '../../store/search/words.ts';
import { shardFor } from '../../store/search/shards.ts';
import { putVector } from '../../store/search/vectors.ts';
import type { BenchModels } from '../../bench/models.ts';
import { vectorTables } from '../../bench/recall-parts.ts';
import type { LabelledSet } from './datasets.ts';

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
  for (const { role, table } of vectorTables(db, models.inference))
    for (const [index, note] of notes.entries())
      putVector(
        db,
        table,
        index + 1,
        await models.document(role, embeddedText(note)),
        role === 'second-embedder' ? await models.documentTokens(role, embeddedText(note)) : null,
      );
  return db;
}
