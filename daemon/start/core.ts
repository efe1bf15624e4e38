import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { isReadOnly } from '#contract/run-folder.ts';
import { Afterwards } from '../platform/afterwards.ts';
import { moveFile } from '../platform/files.ts';
import { finishRestore } from '../archive/restore-backup.ts';
import { recoverImport } from '../archive/restore.ts';
import { fillWithDemo } from '../demo/fill.ts';
import { volatileSignals } from '../knowledge/volatile-signals.ts';
import { Foreground } from '../platform/foreground.ts';
import { claimFolder, keepReserve } from '../platform/home-folder.ts';
import { HOOK_KNOBS } from '../platform/hook-knobs.ts';
import { Incidents } from '../platform/incidents.ts';
import { removeRunFile, takeLock } from '../platform/lock.ts';
import { withErrorListener, type Log, openLog } from '../platform/log.ts';
import { daemonPaths, type Paths } from '../platform/paths.ts';
import { fileStat } from '../platform/read-file.ts';
import type { RunningParts } from '../platform/running-parts.ts';
import { Settings } from '../platform/settings.ts';
import type { UserResolve } from '../ports/knob.ts';
import { KNOBS } from '../registry.ts';
import { EventHub } from '../serve/events.ts';
import type { WritableDb } from '../store/db.ts';
import { LOST, setMeta } from '../store/meta.ts';
import { openStore } from '../store/open.ts';
import { flushOutbox } from '../store/learnings/outbox.ts';
import { countByStatus } from '../store/learnings/learnings.ts';
import type { Store } from '../store/learnings/write.ts';
import { claimShelter, copyDatabase, removeCopy } from './read-only-home.ts';

export interface DaemonOptions {
  home: string;
  environment: NodeJS.ProcessEnv;
  demo?: boolean;
  echo?: boolean;
  /** The process whose uncaught exceptions the daemon survives, if it has one of its own. */
  process?: NodeJS.Process;
}

/** The parts that every other part of the daemon is built on. */
export interface Core {
  paths: Paths;
  environment: NodeJS.ProcessEnv;
  log: Log;
  now: () => number;
  settings: Settings;
  /** Reads the current settings on every call. */
  resolve: UserResolve;
  events: EventHub;
  /** Background work that many notes arrive by lets requests pass. */
  foreground: Foreground;
  /** Failures nobody expected, for the person to see. */
  incidents: Incidents;
  store: Store;
  /** For what is recorded beside an answer. */
  afterwards: Afterwards;
  /** True when the folder of notes was gone: an unmounted disk or an accident, so the notes are written again. */
  areNotesMissing: boolean;
  /** True when the home takes nothing new: what is known is read from a copy, and all work that would write rests. */
  readsOnly: boolean;
  /** Messages for the person about how the store was opened. */
  notices: string[];
  /** Aborted when the daemon stops. */
  signal: AbortSignal;
  running: RunningParts;
}

/** Opens the home: its lock, log, settings and store. Null where another daemon holds it. */
export function openCore(
  { home, environment, demo = false, echo = false }: DaemonOptions,
  running: RunningParts,
  signal: AbortSignal,
): Core | null {
  const paths = daemonPaths(home, environment);
  const readsOnly = isReadOnly(home);
  if (readsOnly) claimShelter(paths);
  else claimHome(paths);
  const lock = takeLock(paths.lock);
  if (!lock) return null;
  running.add('lock', () => lock.release());
  // Left by a daemon that was killed. A client must not come to our socket with its token.
  removeRunFile(paths.runFile);
  const now = () => Date.now();
  const written = openLog(paths.logs, { echo });
  const knobs = KNOBS.map(({ knob }) => knob);
  const settings = new Settings(paths.config, environment, knobs);
  const resolve = settings.resolver();
  letHooksWakeAsSet(paths, settings);

  const { db, notices } = openDatabase(paths, readsOnly);
  const areNotesMissing = !existsSync(paths.documents); // asked after a restore, which may have set them aside
  const log = withErrorListener(written, (error) => db.health.note(error));
  running.add('store', () => {
    db.close();
    if (readsOnly) removeCopy(paths.database);
  });
  const afterwards = recordsOfAnswers(db, log);
  running.add('records of answers', () => afterwards.finish());
  for (const notice of notices) log.info(notice);
  const stripSignals = () => resolve(volatileSignals.switch);
  const store: Store = { db, documents: paths.documents, now, stripSignals };
  if (!readsOnly) {
    recoverImport({ store, staging: paths.staging, backups: paths.backups, keys: paths.keys, signal });
    flushOutbox(db, paths.documents);
  }
  if (demo && Object.keys(countByStatus(db)).length === 0) fillWithDemo(store);
  const incidents = new Incidents(now);
  const events = eventHub(log, incidents);
  return {
    paths,
    environment,
    log,
    now,
    settings,
    resolve,
    events,
    foreground: new Foreground(),
    incidents,
    store,
    afterwards,
    areNotesMissing,
    readsOnly,
    notices,
    signal,
    running,
  };
}

function letHooksWakeAsSet(paths: Paths, settings: Settings): void {
  const allowWaking = () => letHooksWake(paths, settings.resolver()(HOOK_KNOBS.wake));
  allowWaking();
  settings.onChange((changed) => changed.has(HOOK_KNOBS.wake.name) && allowWaking());
}

const recordsOfAnswers = (db: WritableDb, log: Log): Afterwards =>
  new Afterwards({
    onError: (error) => log.error('recording what was answered', error),
    together: (work) => db.health.tolerate(db.transaction(work)), // in a crowd, one commit for several
  });

const eventHub = (log: Log, incidents: Incidents): EventHub =>
  new EventHub((error) => {
    log.error('sending an event to a client', error);
    incidents.report('sending a change to a client', error);
  });

function claimHome({ home, run, reserve }: Paths): void {
  for (const folder of [home, run]) claimFolder(folder);
  keepReserve(reserve, home);
}

const MADE_ANEW =
  'The database is missing and there is no backup. Reflect rebuilds it from the note files; slots, history and decisions start empty.';

function openDatabase(paths: Paths, readsOnly: boolean): { db: WritableDb; notices: string[] } {
  const { database, backups } = paths;
  if (readsOnly) {
    copyDatabase(paths);
    return openStore(database, backups, { isReadOnly: true });
  }
  const restored = finishRestore(paths);
  const isGone = (fileStat(database)?.size ?? 0) === 0 && existsSync(paths.documents);
  const { db, notices, isLost } = openStore(database, backups, { isSuspected: takeSuspicion(paths) });
  if (isLost) setMeta(db, LOST, 'yes');
  return { db, notices: [...restored, ...notices, ...(isGone && !isLost ? [MADE_ANEW] : [])] };
}

/** Hooks see no settings, only whether this file is there. */
function letHooksWake({ stayStopped }: Paths, allowed: boolean): void {
  if (allowed) rmSync(stayStopped, { force: true });
  else writeFileSync(stayStopped, '');
}

/** True when the daemon before this one suspected damage. The file is kept under another name, as a record of when. */
function takeSuspicion({ suspected }: Paths): boolean {
  if (!existsSync(suspected)) return false;
  moveFile(suspected, `${suspected}.done`);
  return true;
}
