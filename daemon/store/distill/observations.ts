import type { Observation, ObservationChange } from '#contract/distill.ts';
import { DaemonError } from '#contract/errors.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { OBSERVATION } from '../columns.ts';
import { readStrings } from '../persisted-json.ts';

type Row = Omit<Observation, 'sources' | 'learnings'> & { sources: string; learnings: string };

const SELECT = `SELECT id, project, content, category, field, value, status, retired_reason AS retiredReason, proof_count AS proofCount, sources, learnings,
  created_at AS createdAt, updated_at AS updatedAt FROM observation`;
const toObservation = ({ sources, learnings, ...row }: Row): Observation => ({
  ...row,
  sources: readStrings(sources),
  learnings: readStrings(learnings),
});

export function findObservation(db: ReadableDb, id: string): Observation | null {
  const row = db.row<Row>(`${SELECT} WHERE id = ?`, id);
  return row ? toObservation(row) : null;
}

export function getObservation(db: ReadableDb, id: string): Observation {
  const observation = findObservation(db, id);
  if (!observation) throw new DaemonError('not-found', `observation ${id}`);
  return observation;
}

/** Observations of these projects ('' is global, null means all), the best proven first. */
export function listObservations(
  db: ReadableDb,
  projects: readonly string[] | null,
  status: Observation['status'] | null,
  limit = -1,
): Observation[] {
  return db
    .rows<Row>(
      `${SELECT} WHERE (:projects IS NULL OR project IN (SELECT value FROM json_each(:projects))) AND (:status IS NULL OR status = :status)
       ORDER BY proof_count DESC, updated_at DESC, id LIMIT :limit`,
      { projects, status, limit },
    )
    .map(toObservation);
}

/** Includes retired ones, because what a person retired must not be created again. */
export function observationsOfLearnings(db: ReadableDb, learnings: readonly string[]): Observation[] {
  if (learnings.length === 0) return []; // the query reads every observation
  return db
    .rows<Row>(
      `${SELECT} WHERE EXISTS (SELECT 1 FROM json_each(observation.learnings) AS own JOIN json_each(?) AS given USING (value)) ORDER BY created_at, id`,
      [learnings],
    )
    .map(toObservation);
}

export function putObservation(db: WritableDb, observation: Observation): void {
  db.upsert(
    'INTO observation (id, project, content, category, field, value, status, retired_reason, proof_count, sources, learnings, created_at, updated_at)',
    'id',
    observation,
  );
}

export function recordObservation(db: WritableDb, change: Omit<ObservationChange, 'id'>): void {
  db.insert('INTO observation_history (at, actor, action, observation_id, reason, before)', {
    ...change,
    before: change.before && OBSERVATION.write(change.before),
  });
}

/** Every change of an observation, newest first. */
export function observationHistory(db: ReadableDb, id: string): ObservationChange[] {
  return db
    .rows<Omit<ObservationChange, 'before'> & { before: string | null }>(
      'SELECT id, at, actor, action, observation_id AS observationId, reason, before FROM observation_history WHERE observation_id = ? ORDER BY id DESC LIMIT 500',
      id,
    )
    .map(({ before, ...row }) => ({
      ...row,
      before: OBSERVATION.readOrNull(before),
    }));
}
