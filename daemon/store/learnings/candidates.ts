import type { Asked, Output } from '#contract/methods.ts';
import * as z from 'zod';
import type { Candidate } from '#contract/candidates.ts';
import type { Learning, Note } from '#contract/entities.ts';
import { MOMENT_PAYLOAD, NOTE } from '../columns.ts';
import type { ReadableDb } from '../db.ts';
import type { NewMoment } from '../capture/moments.ts';
import { candidateShards } from '../search/shards.ts';
import { contentWords } from '../../text/tokenise.ts';
import { titledWith } from '../search/words.ts';
import { learningsBySeq } from './learnings.ts';
import { rowsInOrder } from './list.ts';

// Lenient: a person may edit the file of a note.
const Judged = z.object({
  against: z.array(z.string()).catch([]),
  oneOffRequest: z.boolean().catch(false),
  /** The same under its former name, which stored notes have. */
  errand: z.boolean().catch(false),
});
const judgedOf = ({ metadata }: Pick<Note, 'metadata'>) => Judged.safeParse(metadata['judged']).data;

/** True for a request that means something only in its own session, however many sessions make it. */
export function isOneOffRequest(note: Pick<Note, 'metadata'>): boolean {
  const { oneOffRequest = false, errand = false } = judgedOf(note) ?? {};
  return oneOffRequest || errand;
}

const FROM = `FROM learning WHERE status = 'candidate' AND (:project IS NULL OR project = :project)
  AND (:session IS NULL OR note ->> '$.provenance.session' = :session)`;

/** The best candidates first: those the judge found most likely to be worth keeping. */
export function listCandidates(
  db: ReadableDb,
  { project, session, after, limit }: Asked<'candidates.list'>,
): Output<'candidates.list'> {
  const filter = { project: project ?? null, session: session ?? null };
  const [confidence, seq] = (after ?? '').split(':').map(Number);
  const rows = db.rows<{ seq: number; confidence: number }>(
    `SELECT seq, confidence ${FROM} AND (:seq IS NULL OR confidence < :confidence OR confidence = :confidence AND seq > :seq)
     ORDER BY confidence DESC, seq LIMIT :limit`,
    { ...filter, confidence, seq, limit },
  );
  const total = db.count(`SELECT count(*) ${FROM}`, filter);
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
      waits: judgedOf({ metadata })?.against ?? [],
    };
  });
}

/** Where and when something was said. */
export type MomentOrigin = Pick<NewMoment, 'session' | 'chunkHash' | 'at'>;

/** True when a candidate was said in another session. The same words at the same time are a copy of a session. */
export function wasSaidInAnotherSession(db: ReadableDb, id: string, said: MomentOrigin): boolean {
  return db.has(
    `SELECT 1 FROM chunk_learning JOIN capture_window ON capture_window.id = chunk
     WHERE chunk_learning.learning_id = :id AND session <> :session AND NOT (chunk_hash = :chunkHash AND at = :at)`,
    { id, session: said.session, chunkHash: said.chunkHash, at: said.at },
  );
}

const MOST_NAMED = 20;

/** Candidates of a project whose title has all these words. */
export function candidatesNamed(db: ReadableDb, title: string, project: string): Learning[] {
  const words = contentWords(title);
  const seqs = candidateShards(db, project).flatMap((shard) => titledWith(db, words, shard, MOST_NAMED));
  return [...learningsBySeq(db, seqs).values()];
}
