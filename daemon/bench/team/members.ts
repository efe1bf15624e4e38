import Database from 'better-sqlite3';
import type { Call } from '#contract/methods.ts';
import type { Paths } from '../../platform/paths.ts';
import { createSpace, setMember } from '../../team/server/spaces.ts';
import { addLogin, TEAM_ENVIRONMENT, type TestServer } from '../../testing/postgres.ts';
import {
  benchEnvironment,
  type Client,
  openClient,
  type RunningDaemon,
  sleep,
  startBuilt,
  until as untilWithin,
} from '../daemon-process.ts';

const TIMEOUT_MS = 3_600_000; // 50 daemons on two cores need most of it for 10,000 revisions
const ATTEMPTS = 300_000; // ms
const WITHOUT_MODELS = { REFLECT_EMBED_MODEL: '', REFLECT_SECOND_EMBED_MODEL: '' };

export interface MemberOptions {
  /** The home of the daemon; it may hold notes already. */
  paths: Paths;
  withModels?: boolean;
  /** Where the server is reached, if not directly. */
  port?: number;
}

/** One colleague: a daemon of its own process with a login of its own, which may be killed and started again. */
export class Member {
  readonly login: string;
  readonly #server: TestServer;
  readonly #options: MemberOptions;
  #daemon: RunningDaemon | null = null;
  #client: Client | null = null;

  constructor(server: TestServer, login: string, options: MemberOptions) {
    this.#server = server;
    this.login = login;
    this.#options = options;
  }

  get paths(): Paths {
    return this.#options.paths;
  }

  get pid(): number {
    return this.#daemon?.pid ?? 0;
  }

  async start(): Promise<void> {
    const environment = {
      ...benchEnvironment(),
      ...TEAM_ENVIRONMENT,
      ...(this.#options.withModels ? {} : WITHOUT_MODELS),
    };
    this.#daemon = await startBuilt(this.paths, environment);
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    if (this.#daemon) process.kill(this.#daemon.pid, 'SIGKILL');
    await this.stop();
  }

  async stop(): Promise<void> {
    this.#disconnect();
    await this.#daemon?.stop();
    this.#daemon = null;
  }

  /** Asks the daemon over its socket; rejects while it is away. */
  readonly call: Call = async (method, input) => {
    this.#client ??= await openClient(this.paths);
    try {
      return await this.#client.call(method, input);
    } catch (error) {
      this.#disconnect();
      throw error;
    }
  };

  #disconnect(): void {
    this.#client?.close();
    this.#client = null;
  }

  async join(space: string, everything = true): Promise<void> {
    const url = this.#server.url(this.login);
    const { port } = this.#options;
    const address = port === undefined ? url : url.replace(`:${this.#server.port}/`, `:${port}/`);
    await this.call('team.join', { url: address, space, everything });
  }

  /** Rows of the daemon's own database, read beside it. */
  rows<T>(sql: string, ...values: unknown[]): T[] {
    const db = new Database(this.paths.database, { readonly: true });
    try {
      return db.prepare<unknown[], T>(sql).all(...values);
    } finally {
      db.close();
    }
  }

  position(space: string): number {
    return (
      this.rows<{ cursor: number }>('SELECT cursor FROM team_space WHERE name = ?', space)[0]?.cursor ?? 0
    );
  }
}

/** Makes a space with these logins, all of them writers. */
export async function makeSpace(
  server: TestServer,
  space: string,
  logins: readonly string[],
): Promise<number> {
  const owner = await server.connect('owner');
  const { id } = await createSpace(owner, space);
  for (const login of logins) {
    const { rowCount } = await owner.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [login]);
    if (!rowCount) await addLogin(server, login);
    await setMember(owner, id, login, 'writer');
  }
  await owner.end();
  return id;
}

export const until = (what: string, isSo: () => boolean | Promise<boolean>, everyMs = 50): Promise<void> =>
  untilWithin(what, isSo, { everyMs, withinMs: TIMEOUT_MS });

/** Tries again while a daemon or the server is away. */
export async function persistently<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + ATTEMPTS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await sleep(100);
    }
  }
}

export async function lastOf(server: TestServer, space: number): Promise<number> {
  const [row] = (await server.sql(
    'SELECT coalesce(max(seq), 0)::float8 AS last FROM reflect.revision WHERE space = $1',
    [space],
  )) as Array<{ last: number }>;
  return row?.last ?? 0;
}
