import { DaemonError } from '#contract/errors.ts';
import type { RunFile } from '#contract/run-file.ts';
import { installContext } from './agents/install-context.ts';
import { readRunFile } from './platform/lock.ts';
import type { Log } from './platform/log.ts';
import { pathsOf } from './platform/paths.ts';
import { Rest } from './platform/rest.ts';
import { RunningParts } from './platform/running-parts.ts';
import { VERSION } from './platform/version.ts';
import { startArchive } from './start/archive.ts';
import { createCapture, readTranscripts, runCapture } from './start/capture.ts';
import { type Core, type DaemonOptions, openCore } from './start/core.ts';
import { startImports } from './start/imports.ts';
import { startHousekeeping } from './start/housekeeping.ts';
import { startKnowledge } from './start/knowledge.ts';
import { startLearning } from './start/learning.ts';
import { startModels } from './start/models.ts';
import { startSearchCache } from './start/search-cache.ts';
import { startServing } from './start/serving.ts';
import { startTeam } from './start/team.ts';

export type Daemon =
  | { state: 'held'; holder: RunFile | null }
  | {
      state: 'running';
      run: RunFile;
      log: Log;
      stop: () => void;
      /** Resolves to true when the daemon is to be started again at once. */
      stopped: Promise<boolean>;
    };

/**
 * Starts every part of the daemon, in the order of `startParts`; they stop in reverse, each awaited. A signal gives the
 * start up half-way: what runs by then is stopped, and the signal's reason is thrown.
 */
export async function startDaemon(options: DaemonOptions, signal?: AbortSignal): Promise<Daemon> {
  const running = new RunningParts();
  const stopping = new AbortController();
  const core = await open(options, running, stopping.signal);
  if (!core) return { state: 'held', holder: readRunFile(pathsOf(options.home).runFile) };
  const { log } = core;
  const stopAll = async () => {
    stopping.abort(new DaemonError('unreachable', 'Reflect was stopped'));
    await running.stop((part, error) => log.error(`stopping the ${part}`, error));
  };
  const { promise: stopped, resolve: finish } = Promise.withResolvers<boolean>();
  let isStopping = false;
  const end = (startsAgain: boolean) => {
    if (isStopping) return;
    isStopping = true;
    log.info(startsAgain ? 'stopping to start again' : 'stopping');
    // A stop requested while the last parts start waits for them.
    void starting.then(stopAll).then(() => finish(startsAgain));
  };
  const stop = () => end(false);
  const control = { stop, restart: () => end(true), check: () => signal?.throwIfAborted() };
  // Before the first part starts: the daemon answers before the last one is up, and must not fall then either.
  if (options.process) {
    running.add('exceptions', surviveIn(options.process, core, stop));
    running.add('rest', restAfterBursts(core));
  }
  const starting = startParts(core, options, control);
  try {
    return { state: 'running', run: await starting, log, stop, stopped };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** A home that cannot be opened is left as it was, its lock released. */
async function open(
  options: DaemonOptions,
  running: RunningParts,
  signal: AbortSignal,
): Promise<Core | null> {
  try {
    return openCore(options, running, signal);
  } catch (error) {
    await running.stop(() => {}); // the first failure is the one to report
    throw error;
  }
}

/**
 * Goes on after an exception that nobody caught, unless there are too many. The store is sound after any, because every
 * change is a transaction; only the work at hand is lost.
 */
function surviveIn(process: NodeJS.Process, { log, incidents }: Core, stop: () => void): () => void {
  const survive = (error: unknown) => {
    log.error('uncaught', error);
    incidents.report('the background', error);
    if (!incidents.areTooMany) return;
    process.exitCode = 1;
    stop();
  };
  process.on('uncaughtException', survive).on('unhandledRejection', survive);
  return () => void process.off('uncaughtException', survive).off('unhandledRejection', survive);
}

/** The start is a burst, and so is whatever changes many notes. */
function restAfterBursts({ store: { db }, log }: Core): () => Promise<void> {
  const onError = (error: unknown) => log.error('giving memory back', error);
  const release = () => {
    db.search?.rest();
    db.pragma('shrink_memory');
  };
  const rest = new Rest(release, onError);
  const unsubscribe = db.changes.subscribe(() => rest.soon(), onError);
  rest.soon();
  return () => {
    unsubscribe();
    return rest.stop();
  };
}

interface Control {
  stop: () => void;
  restart: () => void;
  /** Throws when the start is given up. */
  check: () => void;
}

/** Requests are answered before the slow parts are up. */
async function startParts(
  core: Core,
  { home, environment }: DaemonOptions,
  { stop, restart, check }: Control,
): Promise<RunFile> {
  const { now, settings, store } = core;
  const startedAt = now();
  check();
  const inference = startModels(core);
  check();
  const { vectorIndexes, embed, skills, recallCache, recallGauge, upkeep, branches } = startKnowledge(
    core,
    inference,
  );
  check();
  const capture = createCapture(core);
  const recall = {
    db: store.db,
    settings,
    inference,
    indexes: vectorIndexes,
    cache: recallCache,
    gauge: recallGauge,
    now,
  };
  const learning = startLearning(core, { inference, capture, recall, upkeep, branches, embed });
  check();
  const archive = startArchive(core, vectorIndexes, learning.distiller, branches);
  check();
  const imports = startImports(core, learning.preview);
  const team = startTeam(core, inference, vectorIndexes);
  const run = await startServing(core, {
    ...core,
    ...learning,
    inference,
    vectorIndexes,
    recallCache,
    recallGauge,
    skills,
    branches,
    capture,
    archive,
    imports,
    team,
    version: VERSION,
    startedAt,
    startNotices: core.notices,
    installContext: installContext(home, environment),
    stop,
    restart,
    readTranscripts: () => readTranscripts(core, capture),
  });
  check();
  startSearchCache(core, vectorIndexes);
  await startHousekeeping(core, skills, restart);
  check();
  runCapture(core, capture);
  return run;
}
