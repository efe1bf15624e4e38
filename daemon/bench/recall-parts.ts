import { join } from 'node:path';
import type { Inference } from '../inference/inference.ts';
import { Afterwards } from '../platform/afterwards.ts';
import { Settings } from '../platform/settings.ts';
import { RecallCache } from '../recall/answer-cache.ts';
import type { RecallParts } from '../recall/recall.ts';
import { KNOBS } from '../registry.ts';
import type { WritableDb } from '../store/db.ts';
import { ensureVectors } from '../store/search/vectors.ts';
import { EMBEDDER_ROLES } from './models.ts';

/** The default settings: `folder` has no settings file. */
const shippedSettings = (folder: string): Settings =>
  new Settings(
    join(folder, 'no-config.toml'),
    {},
    KNOBS.map(({ knob }) => knob),
  );

/** A store's vector tables, one for each embedder that is available. */
export function vectorTables(db: WritableDb, inference: Inference) {
  return EMBEDDER_ROLES.flatMap((role) => {
    const model = inference.available(role);
    return model ? [{ role, table: ensureVectors(db, model.id, model.dims), generation: 0 }] : [];
  });
}

/** Reads the search indexes into memory, as the daemon does after its start. */
export function fillSearchCache(db: WritableDb, inference: Inference): void {
  const tables = vectorTables(db, inference).map(({ table }) => table);
  if (db.search) for (const _ of db.search.fill(tables));
}

/** The product's recall over a bench's store. */
export function recallParts(
  db: WritableDb,
  inference: Inference,
  folder: string,
  now: () => number = Date.now,
): RecallParts {
  return {
    db,
    settings: shippedSettings(folder),
    inference,
    indexes: vectorTables(db, inference),
    afterwards: new Afterwards({
      onError: (error) => {
        throw error;
      },
    }),
    now,
    // Emptied for every question: the semantic cache would hit on similar questions, and a hit is not what is measured.
    get cache() {
      return new RecallCache();
    },
  };
}
