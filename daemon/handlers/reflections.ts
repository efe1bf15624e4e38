import type { Handlers } from '#contract/methods.ts';
import { learn } from '../knowledge/revise.ts';
import { report } from '../outcomes/loops/analysis.ts';
import {
  abort,
  append,
  contextFor,
  type LoopParts,
  reflectionWindow,
  startLoop,
} from '../outcomes/loops/loops.ts';
import { searchReflections } from '../outcomes/loops/search.ts';
import { getLoop, iterationsOf, listLoops } from '../store/outcomes/loops.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Methods = Extract<keyof Handlers, `loops.${string}` | `reflections.${string}`>;

const ANALYSED = 500; // the newest loops

export function reflectionHandlers({ store, settings }: DaemonParts): Pick<Handlers, Methods> {
  const { db } = store;
  const parts = (): LoopParts => ({
    store,
    resolve: settings.resolver(),
    keep: (note, reason) => learn(store, note, reason, 'loop'),
  });
  return {
    'loops.start': (loop) => startLoop(parts(), loop),
    'loops.list': ({ status, limit }) => listLoops(db, status, limit),
    'loops.get': ({ id }) => ({ loop: getLoop(db, id), iterations: iterationsOf(db, id) }),
    'loops.abort': ({ id, reason }) => abort(parts(), id, reason),
    'reflections.append': (attempt) => append(parts(), attempt),
    'reflections.window': ({ loopId }) => reflectionWindow(parts(), loopId),
    'reflections.context': ({ loopId, maxTokens }) => contextFor(parts(), loopId, maxTokens),
    'reflections.search': (query) => searchReflections(db, query),
    'reflections.analyze': ({ loopId }) => {
      const loops = loopId === undefined ? listLoops(db, undefined, ANALYSED) : [getLoop(db, loopId)];
      return report(loops.map((loop) => ({ loop, iterations: iterationsOf(db, loop.id) })));
    },
  };
}
