import { join } from 'node:path';
import { type Learning, Note, type NoteInput, type Signals } from '#contract/entities.ts';
import type { Inference } from '../inference/inference.ts';
import { sharedInference } from '../inference/testing.ts';
import { silentLog } from '../platform/log.ts';
import { Settings } from '../platform/settings.ts';
import { answer, type RecallAnswer, type RecallParts, type RecallQuestion } from '../recall/recall.ts';
import { RecallCache } from '../recall/answer-cache.ts';
import { VectorIndex } from '../knowledge/vector-index.ts';
import { KNOBS } from '../registry.ts';
import { addLearning, type Store } from '../store/learnings/write.ts';
import { setSignals } from '../store/learnings/signals.ts';
import { DAY } from '../platform/time.ts';
import { memoryStore, tempFolder } from './temp-home.ts';

export const NOW = Date.UTC(2026, 5, 15, 12);

export type Given = NoteInput & { daysAgo?: number; signals?: Partial<Signals> };

export interface World {
  store: Store;
  parts: RecallParts;
  inference: Inference;
  /** The notes it was given, as they were stored. */
  learnings: Learning[];
  recall(question: RecallQuestion): Promise<RecallAnswer>;
  /** Titles, best first. */
  titles(question: RecallQuestion): Promise<string[]>;
}

/** The shipped recall over real SQLite and the real models at a fixed time, with these notes in it. */
export function world(given: Given[], options: { crossEncoder?: string } = {}): Promise<World> {
  return worldFilledBy(
    (store) =>
      given.map(({ daysAgo = 0, signals, ...note }) => {
        const at = NOW - daysAgo * DAY;
        const { learning } = addLearning({ ...store, now: () => at }, Note.parse(note), {
          actor: 'test',
          kind: 'create',
          reason: 'given',
        });
        if (signals) setSignals(store.db, learning.id, signals);
        return learning;
      }),
    options,
  );
}

/** The same, with whatever this puts into it. */
export async function worldFilledBy(
  fill: (store: Store) => Learning[] | undefined,
  { crossEncoder = '', folder = tempFolder() }: { crossEncoder?: string; folder?: string } = {},
): Promise<World> {
  const db = memoryStore();
  const store: Store = { db, documents: join(folder, 'documents'), now: () => NOW };
  const learnings = fill(store) ?? [];
  const inference = sharedInference(crossEncoder);
  await inference.refresh();
  const indexes = (['embedder', 'second-embedder'] as const).map(
    (role) => new VectorIndex(db, inference, role, silentLog),
  );
  for (const index of indexes) await index.fill();
  const settings = new Settings(
    join(folder, 'config.toml'),
    {},
    KNOBS.map(({ knob }) => knob),
  );
  const parts: RecallParts = { db, settings, inference, indexes, cache: new RecallCache(), now: () => NOW };
  const recall = (question: RecallQuestion) => answer(parts, question);
  return {
    store,
    parts,
    inference,
    learnings,
    recall,
    titles: async (question) => (await recall(question)).hits.map(({ learning }) => learning.title),
  };
}
