import type { Note } from '#contract/entities.ts';
import type { Inference } from '../inference/inference.ts';
import { calibrated } from '../inference/similarity.ts';
import type { ReadableDb, WritableDb } from '../store/db.ts';
import { namesOf } from '../store/learnings/learnings.ts';
import { embeddedText } from '../store/search/note-text.ts';
import { candidateShards, shardsIn, shardsOf } from '../store/search/shards.ts';
import type { SignMap } from '../store/search/sign-map.ts';
import {
  ensureVectors,
  searchByVector,
  type VectorMatch,
  type VectorTable,
} from '../store/search/vectors.ts';

/** A live learning with a similar meaning. */
export interface Neighbour {
  seq: number;
  id: string;
  title: string;
  /** 0 for unrelated, 1 for the same, whichever model is in use. */
  similarity: number;
  /** How much each says of what the other says, by the cross-encoder: 1 for the same text. */
  agreement?: number;
}

const NEAREST = 5;

export interface Space {
  table: VectorTable;
  scale: Parameters<typeof calibrated>[0];
}

/** The vectors of the embedder in use; null while it is not available. */
export function spaceOf(db: WritableDb, inference: Pick<Inference, 'available'>): Space | null {
  const model = inference.available('embedder');
  return model && { table: ensureVectors(db, model.id, model.dims), scale: model };
}

type Place = Pick<Note, 'project' | 'branch'>;

/** The shards visible from the place of this note, even if the note is global. */
const seenFrom = (db: ReadableDb, { project, branch }: Place): number[] =>
  shardsIn(db, { project, branch, allBranches: false, everywhere: false }) ?? [];

/** The nearest live learnings of these shards. */
function nearestTo(
  db: ReadableDb,
  { table, scale }: Space,
  vector: Float32Array,
  shards: number[],
): Neighbour[] {
  return named(db, scale, searchByVector(db, table, vector, shards, NEAREST));
}

const CANDIDATES = 40; // twins and contradictions are near enough to be among them

/**
 * The nearest to a stored learning, of those visible from its place: coarse, because a sweep asks for many, and from
 * the sign map where there is one.
 */
export function nearestToStored(
  db: ReadableDb,
  { table, scale }: Space,
  vector: Float32Array,
  seq: number,
  place: Place,
  map: SignMap | null,
): Neighbour[] {
  const shards = seenFrom(db, place);
  const among = map?.nearest(vector, shards, CANDIDATES) ?? null;
  return named(
    db,
    scale,
    searchByVector(db, table, vector, shards, NEAREST + 1, among, true)
      .filter((match) => match.seq !== seq)
      .slice(0, NEAREST),
  );
}

function named(db: ReadableDb, scale: Space['scale'], matches: readonly VectorMatch[]): Neighbour[] {
  const names = namesOf(
    db,
    matches.map(({ seq }) => seq),
  );
  return matches.flatMap(({ seq, cosine }) => {
    const known = names.get(seq);
    return known ? [{ ...known, seq, similarity: calibrated(scale, cosine) }] : [];
  });
}

/** The same for a note that is not stored, with the nearest candidates and those on other branches. */
export async function nearestToNew(
  db: WritableDb,
  inference: Inference,
  note: Note,
): Promise<{ neighbours: Neighbour[]; candidates: Neighbour[]; elsewhere: Neighbour[] }> {
  const space = spaceOf(db, inference);
  if (!space) return { neighbours: [], candidates: [], elsewhere: [] };
  const vector = await inference.embedDocument('embedder', embeddedText(note));
  const visible = seenFrom(db, note);
  const others = shardsOf(db, note.project).filter((shard) => !visible.includes(shard));
  return {
    neighbours: nearestTo(db, space, vector, visible),
    candidates: nearestTo(db, space, vector, candidateShards(db, note.project)),
    elsewhere: others.length > 0 ? nearestTo(db, space, vector, others) : [],
  };
}
