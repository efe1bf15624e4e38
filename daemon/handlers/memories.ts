import type { Handlers } from '#contract/methods.ts';
import { learn } from '../knowledge/revise.ts';
import { augment } from '../outcomes/memories/augment.ts';
import { memoryNote, toMemory } from '../outcomes/memories/memory.ts';
import { queryMemories } from '../outcomes/memories/query.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { reviewsOf } from '../store/outcomes/reviews.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { recallPartsOf } from './recall.ts';

export function memoryHandlers(parts: DaemonParts) {
  const { store } = parts;
  const recallParts = recallPartsOf(parts);
  return {
    'memories.query': (query) => queryMemories(recallParts, query),
    'memories.augment': async (query) => {
      const found = await queryMemories(recallParts, query);
      return { ...found, augmentedTask: augment(query.task, found.memories) };
    },
    'memories.create': (said) => {
      const { learning, changeId } = learn(store, memoryNote(said), `written by ${said.agent}`, said.agent);
      return {
        memory: toMemory(learning, { similarity: 1, score: 1 }),
        created: changeId !== 0 && learning.signals.proofCount === 1,
      };
    },
    'memories.history': ({ id }) => {
      getLearning(store.db, id); // an unknown id is an error, not an empty history
      return reviewsOf(store.db, id);
    },
  } satisfies Partial<Handlers>;
}
