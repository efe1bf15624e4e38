import { isAbsolute } from 'node:path';
import { DaemonError } from '#contract/errors.ts';
import type { Handlers, Output } from '#contract/methods.ts';
import { learn } from '../knowledge/revise.ts';
import { evaluate } from '../outcomes/loops/evaluate.ts';
import { hasLoopFiles, loopFiles, readReflections, writeReflections } from '../outcomes/loops/files.ts';
import { importReflections } from '../outcomes/loops/import.ts';
import { report } from '../outcomes/loops/analysis.ts';
import {
  abort,
  append,
  contextFor,
  type LoopParts,
  reflectionWindow,
  startLoop,
  withReflection,
} from '../outcomes/loops/loops.ts';
import { searchReflections } from '../outcomes/loops/search.ts';
import { identifyProject } from '../platform/project.ts';
import { projectRoot, rememberProject } from '../store/learnings/learnings.ts';
import { getLoop, iterationsOf, listLoops } from '../store/outcomes/loops.ts';
import type { DaemonParts } from './daemon-parts.ts';

/** Files are written there, so the folder must not depend on where the daemon was started. */
function rootOf(cwd: string): string {
  if (!isAbsolute(cwd)) throw new DaemonError('bad-input', `“${cwd}” is not an absolute path.`);
  return identifyProject(cwd)?.root ?? cwd;
}

const ANALYSED = 500; // the newest loops

export function reflectionHandlers({ store, settings, writer, log }: DaemonParts) {
  const { db } = store;
  const parts = (): LoopParts => ({
    store,
    resolve: settings.resolver(),
    keep: (note, reason) => learn(store, note, reason, 'loop'),
  });
  const remember = (cwd: string | undefined) => {
    const here = cwd ? identifyProject(cwd) : null;
    if (here) rememberProject(db, { id: here.id, name: here.name, root: here.root }, store.now());
  };
  const writeFiles = ({ loop, record }: Output<'reflections.append'>) => {
    const root = projectRoot(db, loop.project);
    if (!record.self_reflection || !settings.resolver({ projectRoot: root })(loopFiles.switch)) return;
    try {
      if (hasLoopFiles(root)) writeReflections(root, loop.id, [{ record, flags: [] }]);
    } catch (error) {
      log.error(`writing a reflection of ${loop.id} to its project`, error); // the attempt itself is stored
    }
  };
  return {
    'loops.start': (loop) => {
      remember(loop.cwd);
      return startLoop(parts(), loop);
    },
    'loops.list': ({ status, limit }) => listLoops(db, status, limit),
    'loops.get': ({ id }) => ({ loop: getLoop(db, id), iterations: iterationsOf(db, id) }),
    'loops.abort': ({ id, reason }) => abort(parts(), id, reason),
    'loops.import': ({ cwd }) => {
      const { records, problems } = readReflections(rootOf(cwd));
      remember(cwd);
      return { ...importReflections(store, records, cwd), problems };
    },
    'loops.export': ({ id, cwd }) => {
      getLoop(db, id); // an unknown id is an error
      return { files: writeReflections(rootOf(cwd), id, iterationsOf(db, id)) };
    },
    'reflections.evaluate': ({ checks, verificationType }) => evaluate(checks, verificationType),
    'reflections.append': async (attempt) => {
      const added = append(parts(), await withReflection(parts(), writer.ask, attempt));
      writeFiles(added);
      return added;
    },
    'reflections.window': ({ loopId }) => reflectionWindow(parts(), loopId),
    'reflections.context': ({ loopId, maxTokens }) => contextFor(parts(), loopId, maxTokens),
    'reflections.search': (query) => searchReflections(db, query),
    'reflections.analyze': ({ loopId }) => {
      const loops = loopId === undefined ? listLoops(db, undefined, ANALYSED) : [getLoop(db, loopId)];
      return report(loops.map((loop) => ({ loop, iterations: iterationsOf(db, loop.id) })));
    },
  } satisfies Partial<Handlers>;
}
