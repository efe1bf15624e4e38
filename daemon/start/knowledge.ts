import { branchReason } from '../drain/branch-bound.ts';
import type { Inference } from '../inference/inference.ts';
import { Branches } from '../knowledge/branches.ts';
import { Upkeep } from '../knowledge/upkeep.ts';
import { VectorIndex } from '../knowledge/vector-index.ts';
import { agentsHome } from '../platform/paths.ts';
import { RecallCache } from '../recall/answer-cache.ts';
import { RecallGauge } from '../recall/gauge.ts';
import { SkillsIndex } from '../recall/skills/skills-index.ts';
import type { Core } from './core.ts';

/** Starts the parts that keep knowledge ready for recall: vectors, comparisons, installed skills. */
export function startKnowledge(core: Core, inference: Inference) {
  const { store, log, resolve, events, foreground, environment, now, readsOnly, running } = core;
  const upkeep = new Upkeep({ store, inference, log, resolve, foreground });
  running.add('upkeep', () => upkeep.stop());
  const branches = new Branches({ store, log, resolve, reasonFor: branchReason });
  running.add('branches', () => branches.stop());
  if (!readsOnly) for (const task of [upkeep, branches]) task.wake();
  const vectorIndexes = (['embedder', 'second-embedder'] as const).map(
    // A note with a new vector can now be compared.
    (role) => new VectorIndex(store.db, inference, role, log, () => upkeep.wake()),
  );
  for (const index of vectorIndexes) running.add(`vectors of the ${index.role}`, () => index.stop());
  const embed = (changed?: readonly string[]) => {
    if (!readsOnly) for (const index of vectorIndexes) index.wake(changed);
  };
  running.add(
    'models.changed',
    events.subscribe(({ type }) => type === 'models.changed' && embed()),
  );
  embed();
  const skills = new SkillsIndex({
    db: store.db,
    now,
    log,
    home: agentsHome(environment),
    claudeFolder: environment.CLAUDE_CONFIG_DIR,
  });
  running.add('skills', () => skills.stop());
  return {
    upkeep,
    branches,
    vectorIndexes,
    embed,
    skills,
    recallCache: new RecallCache(),
    recallGauge: new RecallGauge(),
  };
}
