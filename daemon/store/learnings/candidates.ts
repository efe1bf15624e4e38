import * as z from 'zod';
import type { Candidate } from '#contract/candidates.ts';
import { MOMENT_PAYLOAD, NOTE } from '../columns.ts';
import type { ReadableDb } from '../db.ts';
import { rowsInOrder } from './list.ts';

// Lenient: a person may edit the file of a note.
const Judged = z.object({ against: z.array(z.string()).catch([]) }).catch({ against: [] });

export interface CandidateFilter {
  project?: string | undefined;
  session?: string | undefined;
  after?: string | undefined;
  limit: number;
}

export interface CandidatePage {
  items: Candidate[];
  total: number;
  cursor: string | null;
}

const FROM = `FROM learning WHERE status = 'candidate' AND (:project IS NULL OR project = :project)
  AND (:session IS NULL OR note ->> '$.provenance.session' = :session)`;

/** The best candidates first: those the judge found most likely to be worth keeping. */
export function listCandidates(
  db: ReadableDb,
  { project, session, after, limit }: CandidateFilter,
): CandidatePage {
  const filter = { project: project ?? null, session: session ?? null };
  const [confidence, seq] = (after ?? '').split(':').map(Number);
  const rows = db
    .prepare<[object], { seq: number; confidence: number }>(
      `SELECT seq, confidence ${FROM} AND (:seq IS NULL OR confidence < :confidence OR confidence = :confidence AND seq > :seq)
       ORDER BY confidence DESC, seq LIMIT :limit`,
    )
    .all({ ...filter, confidence: confidence ?? null, seq: seq ?? null, limit });
  const total = db.prepare<[object], number>(`SELECT count(*) ${FROM}`).pluck().get(filter) as number;
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return {
    items: read(
      db,
      rows.map((row) => row.seq),
    ),
    total,
    cursor: last ? `${last.confidence}:${last.seq}` : null,
  };
}

function read(db: ReadableDb, seqs: number[]): Candidate[] {
  const sources = db.prepare<[number], { note: string; moment: number | null; payload: string | null }>(`
    SELECT note, capture_window.id AS moment, payload FROM learning LEFT JOIN capture_window ON learning_id = learning.id
    WHERE seq = ? ORDER BY capture_window.id LIMIT 1
  `);
  return rowsInOrder(db, seqs).map((row, index) => {
    const source = sources.get(seqs[index] ?? 0);
    const { metadata, provenance } = NOTE.read(source?.note ?? '');
    return {
      ...row,
      session: provenance.session,
      quote: provenance.quote,
      momentId: source?.moment ?? null,
      noticed: source?.payload ? MOMENT_PAYLOAD.read(source.payload).why : [],
      waits: Judged.parse(metadata['judged']).against,
    };
  });
}
