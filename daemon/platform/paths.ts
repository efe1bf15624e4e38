import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isReadOnly, runFolder, shelterOf } from '#contract/run-folder.ts';
import { sha256 } from './sha256.ts';

export interface Paths {
  home: string;
  database: string;
  documents: string;
  corpora: string;
  conventions: string;
  modes: string;
  backups: string;
  /** The own key and the known ones, for archives. */
  keys: string;
  /** Where an export or import is prepared. */
  staging: string;
  logs: string;
  config: string;
  events: string;
  run: string;
  runFile: string;
  /** Port and sessions of browsers, for the next start. */
  browsers: string;
  lock: string;
  /** Exists while a person wants the daemon to stay stopped. */
  stayStopped: string;
  socket: string;
  /** Exists while a backup is to be restored at the next start. */
  restore: string;
  /** Exists while the database may be damaged: the next start checks all of it. */
  suspected: string;
  /** Space for a start when the disk is full. */
  reserve: string;
}

export function reflectHome(env: NodeJS.ProcessEnv): string {
  return env.REFLECT_HOME || join(homedir(), '.reflect');
}

/** All paths of a Reflect home; nothing else builds them. */
export function pathsOf(home: string, platform = process.platform, run = runFolder(home)): Paths {
  return {
    home,
    database: join(home, 'reflect.db'),
    documents: join(home, 'documents'),
    corpora: join(home, 'corpora'),
    conventions: join(home, 'conventions'),
    modes: join(home, 'modes'),
    backups: join(home, 'backups'),
    keys: join(home, 'keys'),
    staging: join(home, 'staging'),
    logs: join(home, 'logs'),
    config: join(home, 'config.toml'),
    events: join(home, 'events.jsonl'),
    run,
    runFile: join(run, 'daemon.json'),
    browsers: join(run, 'browsers.json'),
    lock: join(run, 'lock'),
    stayStopped: join(run, 'stay-stopped'),
    restore: join(home, 'restore.json'),
    suspected: join(run, 'check-database'),
    reserve: join(run, 'reserve'),
    socket: socketPath(home, run, platform),
  };
}

/** The paths as the daemon's environment says: the notes may be elsewhere, under the seeds' name for that. */
export function daemonPaths(home: string, env: NodeJS.ProcessEnv): Paths {
  const notes = env.RECALL_LEARNINGS_ROOT ? { documents: resolve(env.RECALL_LEARNINGS_ROOT) } : {};
  if (!isReadOnly(home)) return { ...pathsOf(home), ...notes };
  const run = shelterOf(home);
  return {
    ...pathsOf(home, process.platform, run),
    ...notes,
    database: join(run, 'reflect.db'), // a copy, because opening a database writes beside it
    logs: join(run, 'logs'),
    staging: join(run, 'staging'),
  };
}

// A socket's path may have about 100 bytes; a deep home gets a short one, in a folder only its owner may enter.
const LONGEST_SOCKET_PATH = 100;

function socketPath(home: string, run: string, platform: NodeJS.Platform): string {
  const name = sha256(home).slice(0, 16);
  if (platform === 'win32') return `\\\\.\\pipe\\reflect-${name}`;
  const path = join(run, 'daemon.sock');
  // The uid is asked of the process: in a container it may have no name, and then userInfo() throws.
  const short = (folder: string) => join(folder, `reflect-${process.getuid?.() ?? 0}`, `${name}.sock`);
  const places = [path, short(tmpdir()), short('/tmp')];
  return places.find((place) => Buffer.byteLength(place) <= LONGEST_SOCKET_PATH) ?? short('/tmp');
}

/** Shared by all homes of a user, so a throw-away home needs no second download. */
function cacheFolder(env: NodeJS.ProcessEnv, system: NodeJS.Platform): string {
  if (system === 'darwin') return join(homedir(), 'Library', 'Caches', 'reflect');
  if (system === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'reflect');
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'reflect');
}

export const modelsFolder = (env: NodeJS.ProcessEnv, system = process.platform): string =>
  env.REFLECT_MODELS_DIR || join(cacheFolder(env, system), 'models');

/** Code that Node compiled, for the next start. */
export const compiledFolder = (env: NodeJS.ProcessEnv, system = process.platform): string =>
  join(cacheFolder(env, system), 'compiled');

/** The environment that may move agents' folders; with another agents' home only Claude Code's own setting counts. */
export function agentsEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env.REFLECT_AGENTS_HOME ? { CLAUDE_CONFIG_DIR: env.CLAUDE_CONFIG_DIR } : { ...env };
}

/** The home folder in which agents keep their folders; tests and demos use another one. */
export function agentsHome(env: NodeJS.ProcessEnv): string {
  return env.REFLECT_AGENTS_HOME || homedir();
}
