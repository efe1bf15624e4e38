import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';
import type { NoteInput } from '#contract/entities.ts';
import { Foreground } from '../platform/foreground.ts';
import { silentLog } from '../platform/log.ts';
import { rememberProject } from '../store/learnings/learnings.ts';
import { given, type TempStore, tempStore } from '../testing/temp-home.ts';
import { needs } from '../testing/needs.ts';
import {
  addLogin,
  postgresMissing,
  startPostgres,
  TEAM_ENVIRONMENT,
  type TestServer,
} from '../testing/postgres.ts';
import { createSpace, setMember } from './server/spaces.ts';
import { Team, type TeamParts } from './team.ts';
import type { TeamRole } from '#contract/team.ts';

export const SHOP = 'github.com/acme/shop';

/** One colleague: a machine of their own with a login of their own. */
export interface Colleague {
  login: string;
  store: TempStore;
  team: Team;
  /** Waits until this machine is in step with the server. */
  inStep: () => Promise<void>;
  titles: () => string[];
  learn: (note: NoteInput) => string;
}

/** Starts the server that the tests of a file share; they are skipped where there is no PostgreSQL. */
export function shareServer(onStarted: (server: TestServer) => void): void {
  needs(postgresMissing());
  vi.setConfig({ testTimeout: 120_000 }); // for a machine under load; nothing waits this long
  let server: TestServer | undefined;
  beforeAll(async () => {
    if (postgresMissing() !== null) return;
    server = await startPostgres();
    onStarted(server);
  }, 60_000);
  afterAll(() => server?.remove());
}

/** Makes a new space on the server and adds these logins. */
export async function newSpace(
  server: TestServer,
  space: string,
  members: Record<string, TeamRole>,
): Promise<void> {
  const owner = await server.connect('owner');
  const { id } = await createSpace(owner, space);
  for (const [login, role] of Object.entries(members)) {
    const { rowCount } = await owner.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [login]);
    if (!rowCount) await addLogin(server, login);
    await setMember(owner, id, login, role);
  }
  await owner.end();
}

/** A machine's parts as the daemon gives them, without models. */
export const partsOf = (store: TempStore): TeamParts => ({
  store,
  environment: TEAM_ENVIRONMENT,
  passwordCommand: () => '',
  log: silentLog,
  backups: store.paths.backups,
  models: () => [],
  projects: () => [SHOP],
  foreground: new Foreground(),
  onChange: () => {},
  pollMs: 60_000,
});

/** A machine that knows the project and has not joined anything. */
export function colleague(login: string, parts: Partial<TeamParts> = {}): Colleague {
  const store = tempStore();
  rememberProject(store.db, { id: SHOP, name: 'shop', root: '' }, 0);
  const team = new Team({ ...partsOf(store), ...parts });
  onTestFinished(() => team.stop());
  return {
    login,
    store,
    team,
    inStep: () => vi.waitFor(() => team.sync(), { timeout: 30_000, interval: 50 }),
    titles: () =>
      store.db.prepare<[], string>(`SELECT title FROM learning WHERE live = 1 ORDER BY title`).pluck().all(),
    learn: (note) => given(store, { project: SHOP, ...note }).learning.id,
  };
}

/** The same, in the space already. */
export async function member(
  server: TestServer,
  space: string,
  login: string,
  parts: Partial<TeamParts> = {},
): Promise<Colleague> {
  const joined = colleague(login, parts);
  await joined.team.join({ url: server.url(login), space, everything: false });
  return joined;
}
