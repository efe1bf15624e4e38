import { WEIGHTS } from '../../models/manifest.ts';
import type { Inference } from '../inference/inference.ts';
import { areTokens, TOKEN_MODEL } from '../inference/token-vectors.ts';
import type { VectorIndex } from '../knowledge/vector-index.ts';
import { knownProjects } from '../store/search/shards.ts';
import { listProjects } from '../store/learnings/learnings.ts';
import { TEAM_KNOBS } from '../team/knobs.ts';
import { Team } from '../team/team.ts';
import type { Embedded } from '../team/vectors.ts';
import type { Core } from './core.ts';

const POLL = 30_000; // ms; the server announces what is new, so this is for when an announcement was lost

/** Starts keeping the joined spaces in step, in the background. */
export function startTeam(core: Core, inference: Inference, indexes: readonly VectorIndex[]): Team {
  const { store, environment, log, events, foreground, paths, resolve, readsOnly, running } = core;
  const models = (): Embedded[] =>
    indexes.flatMap(({ role, table }) => {
      const weights = inference.available(role)?.files.find(({ name }) => name === WEIGHTS);
      if (!table || !weights) return [];
      return [{ table, weights: weights.sha256, ...(table.model === TOKEN_MODEL ? { areTokens } : {}) }];
    });
  const team = new Team({
    store,
    environment,
    passwordCommand: () => resolve(TEAM_KNOBS.passwordCommand),
    log,
    backups: paths.backups,
    models,
    // Projects that were opened here, or that have notes here.
    projects: () => [...new Set([...listProjects(store.db).map(({ id }) => id), ...knownProjects(store.db)])],
    foreground,
    onChange: () => events.emit({ type: 'team.changed' }),
    pollMs: POLL,
  });
  running.add('team', () => team.stop());
  if (!readsOnly) team.start();
  return team;
}
