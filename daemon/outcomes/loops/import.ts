import type { ReflectionMemory } from '#contract/loops.ts';
import { redactAll } from '../../privacy/redact.ts';
import { asOneUnit, type Store } from '../../store/learnings/write.ts';
import { countRedactions } from '../../store/meta.ts';
import { iterationsOf, putIteration, putLoop } from '../../store/outcomes/loops.ts';
import { firstSentence } from '../../text/sentences.ts';
import { resolveProject } from '../resolve-project.ts';
import { flagsOf } from './quality.ts';

const MAX_ITERATIONS = 1_000; // AIWG's own limit is not in its files

/** Adds reflections from files of another tool, redacted, as loops that can be continued. Known ones are left alone. */
export function importReflections(
  store: Store,
  files: readonly ReflectionMemory[],
  cwd: string,
): { loops: string[]; reflections: number; known: number } {
  const { db } = store;
  const { project } = resolveProject({ cwd });
  const redactions: Record<string, number> = {};
  const records = redactAll(files, redactions);
  return asOneUnit(store, () => {
    countRedactions(db, redactions);
    const added = { loops: [] as string[], reflections: 0, known: 0 };
    for (const [id, group] of Map.groupBy(records, ({ loop_id: loop }) => loop)) {
      const [first, ...rest] = group.toSorted((a, b) => a.iteration - b.iteration);
      if (!first) continue;
      const loop = {
        id,
        task: taskOf(first),
        verificationType: first.evaluator_output.verification_type,
        omega: first.memory_metadata.omega_capacity,
        windowPolicy: first.memory_metadata.window_policy ?? ('fifo' as const),
        maxIterations: MAX_ITERATIONS,
        project: project ?? '',
        startedAt: Date.parse(first.timestamp),
      };
      if (putLoop(db, loop)) added.loops.push(id);
      const known = new Set(iterationsOf(db, id).map(({ record }) => record.iteration));
      for (const record of [first, ...rest]) {
        if (known.has(record.iteration)) added.known++;
        else {
          putIteration(db, { record, flags: flagsOf(record, undefined) }, Date.parse(record.timestamp));
          known.add(record.iteration);
          added.reflections++;
        }
      }
    }
    return added;
  });
}

/** AIWG keeps the task elsewhere, so the plan of the first attempt stands in for it. */
const taskOf = ({ loop_id: id, actor_output: { rationale, strategy } }: ReflectionMemory): string =>
  firstSentence(strategy || rationale, 400) || id.replace(/^ralph-/, '').replaceAll('-', ' ');
