import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DaemonError } from '#contract/errors.ts';
import type { RunFile } from '#contract/run-file.ts';
import { Archive } from './archive/archive.ts';
import { recoverImport } from './archive/restore.ts';
import { Capture } from './capture/capture.ts';
import { OWN_RUN_FOLDER } from './capture/own-runs.ts';
import { fillWithDemo } from './demo/fill.ts';
import { Distiller } from './distill/distill.ts';
import { Drain } from './drain/drain.ts';
import { ingestBatch } from './drain/ingest.ts';
import { DRAIN_KNOBS } from './drain/knobs.ts';
import { ModelWriter } from './drain/writers/llm/model-writer.ts';
import type { DaemonParts } from './handlers/daemon-parts.ts';
import { createHandlers } from './handlers/index.ts';
import { wordPrincipleBy } from './handlers/principle-writer.ts';
import { recallPartsOf } from './handlers/recall.ts';
import { wordTrace } from './handlers/trace-writer.ts';
import { Lifecycle } from './events/lifecycle-events.ts';
import { subscribeToChanges } from './events/subscriptions.ts';
import { createInference } from './inference/inference.ts';
import { INFERENCE_KNOBS } from './inference/knobs.ts';
import { learn } from './knowledge/revise.ts';
import { rescanInBackground } from './knowledge/hand-edits.ts';
import { Retractor } from './knowledge/retract.ts';
import { preview } from './knowledge/twins.ts';
import { Upkeep } from './knowledge/upkeep.ts';
import { volatileSignals } from './knowledge/volatile-signals.ts';
import { watchDocuments } from './knowledge/watch-documents.ts';
import { Reflector } from './outcomes/memories/reflector.ts';
import { OutcomeUpkeep } from './outcomes/upkeep.ts';
import { BackgroundTask } from './platform/background-task.ts';
import { HOOK_KNOBS } from './platform/hook-knobs.ts';
import { readRunFile, removeRunFile, takeLock, writeRunFile } from './platform/lock.ts';
import { type Log, openLog } from './platform/log.ts';
import { agentsEnvironment, agentsHome, modelsFolder, pathsOf } from './platform/paths.ts';
import { Settings } from './platform/settings.ts';
import { VERSION } from './platform/version.ts';
import { RecallCache } from './recall/answer-cache.ts';
import { RecallGauge } from './recall/gauge.ts';
import { findRelevant } from './recall/recall.ts';
import { renewSnapshots } from './recall/modes/corpora.ts';
import { SkillsIndex } from './recall/skills/skills-index.ts';
import { VectorIndex } from './knowledge/vector-index.ts';
import { KNOBS } from './registry.ts';
import { createDispatch } from './serve/dispatch.ts';
import { EventHub } from './serve/events.ts';
import { listenOnHttp } from './serve/http.ts';
import { placeFor } from './agents/place.ts';
import { listenOnSocket } from './serve/socket.ts';
import { newToken } from './serve/token.ts';
import { backUpDaily } from './store/backups.ts';
import { openStore } from './store/db.ts';
import { flushOutbox } from './store/learnings/documents.ts';
import type { Store } from './store/learnings/write.ts';
import { countByStatus, listProjects } from './store/learnings/learnings.ts';
import { getMeta, PAUSED } from './store/meta.ts';
import { pruneLogs } from './store/prune.ts';
import { readPositions, sweptFiles } from './store/capture/transcripts.ts';

export interface DaemonOptions {
  home: string;
  environment: NodeJS.ProcessEnv;
  demo?: boolean;
  echo?: boolean;
}

export type Daemon =
  | { state: 'held'; holder: RunFile | null }
  | { state: 'running'; run: RunFile; log: Log; stop: () => void; stopped: Promise<void> };

const TIDY_EVERY = 3_600_000; // ms
const BACK_FILL_PAUSE = 80; // ms between two notes: reading goes on meanwhile, and so does recall
const BUILT = !import.meta.url.endsWith('.ts');
const CAPTURE_WORKER = new URL(BUILT ? './capture-worker.js' : './capture/worker.ts', import.meta.url);
const RENDERER = fileURLToPath(new URL(BUILT ? '../renderer' : '../dist/renderer', import.meta.url));

/** Opens, wires and starts everything; alone in seeing every folder. Answers requests before the slow parts are up. */
export async function startDaemon({
  home,
  environment,
  demo = false,
  echo = false,
}: DaemonOptions): Promise<Daemon> {
  const paths = pathsOf(home);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const lock = takeLock(paths.lock);
  if (!lock) return { state: 'held', holder: readRunFile(paths.runFile) };
  const log = openLog(paths.logs, { echo });
  const now = () => Date.now();
  const settings = new Settings(
    paths.config,
    environment,
    KNOBS.map(({ knob }) => knob),
  );
  const resolve = settings.resolver();
  const events = new EventHub();
  // Hooks see no settings, only this file.
  if (resolve(HOOK_KNOBS.wake)) rmSync(paths.stayStopped, { force: true });
  else writeFileSync(paths.stayStopped, '');

  const { db, notices } = openStore(paths.database, paths.backups);
  for (const notice of notices) log.error(notice);
  const store: Store = { db, documents: paths.documents, now };
  const stopping = new AbortController();
  const { signal } = stopping;
  const archiveParts = { store, staging: paths.staging, backups: paths.backups, signal };
  recoverImport(archiveParts);
  flushOutbox(db, paths.documents);
  if (demo && Object.keys(countByStatus(db)).length === 0) fillWithDemo(store);

  const inference = createInference({
    modelsDir: modelsFolder(environment),
    embedder: resolve(INFERENCE_KNOBS.embedder),
    secondEmbedder: resolve(INFERENCE_KNOBS.secondEmbedder),
    crossEncoder: resolve(INFERENCE_KNOBS.crossEncoder),
    threads: resolve(INFERENCE_KNOBS.threads),
    idleUnloadMs: resolve(INFERENCE_KNOBS.idleUnloadSeconds) * 1_000,
    log: (line) => log.info(line),
    onChange: () => {
      embedMissing();
      events.emit({ type: 'models.changed' });
    },
  });
  const vectorIndexes = (['embedder', 'second-embedder'] as const).map(
    // What has a vector at last can be compared.
    (slot) => new VectorIndex(db, inference, slot, log, () => upkeep.wake()),
  );
  const lifecycle = new Lifecycle({
    file: paths.events,
    resolve: () => settings.resolver(),
    environment,
    log,
    now,
  });
  const upkeep = new Upkeep({
    store,
    inference,
    log,
    resolve: () => settings.resolver(),
  });
  const embedMissing = () => vectorIndexes.forEach((index) => index.wake());
  store.stripSignals = () => settings.resolver()(volatileSignals.switch);

  const skills = new SkillsIndex({
    db,
    home: agentsHome(environment),
    claudeFolder: environment.CLAUDE_CONFIG_DIR,
    now,
    log,
  });
  const writer = new ModelWriter({
    db,
    now,
    log,
    resolve,
    environment,
    scratch: join(paths.run, OWN_RUN_FOLDER),
    stopped: signal,
  });
  const previewNote: DaemonParts['preview'] = (note, knobs) =>
    preview(store, inference, note, knobs, (error) => log.error('comparing a note by meaning', error));
  const drain = new Drain({
    store,
    writer,
    log,
    preview: previewNote,
    onDrained: () => {
      upkeep.drained();
      retractor.wake();
    },
    modes: paths.modes,
    resolver: (projectRoot) => settings.resolver({ projectRoot }),
    pause: () => (capture.state === 'back-filling' ? BACK_FILL_PAUSE : 0),
  });
  const reflector = new Reflector({
    store,
    log,
    word: (trace) => wordTrace({ db, settings, writer, modes: paths.modes }, trace),
    keep: (note, reason) => learn(store, note, reason, writer.name),
  });
  const outcomes = new OutcomeUpkeep({
    store,
    log,
    resolve,
    keep: (note, reason) => learn(store, note, reason, 'outcomes'),
  });
  const promotion = { store, home: agentsHome(environment), claudeFolder: environment.CLAUDE_CONFIG_DIR };
  const distiller = new Distiller({
    ...promotion,
    inference,
    log,
    resolve: () => settings.resolver(),
    conventions: paths.conventions,
    word: (members, draft) => wordPrincipleBy({ db, settings, writer, modes: paths.modes }, members, draft),
    isBusy: () => capture.state === 'back-filling',
  });
  subscribeToChanges({ db, log, events, lifecycle, embed: embedMissing, distiller, outcomes });
  const capture = new Capture({
    worker: CAPTURE_WORKER,
    start: () => ({
      home: agentsHome(environment),
      environment: agentsEnvironment(environment),
      positions: readPositions(db),
      swept: sweptFiles(db),
      knobs: Object.fromEntries(KNOBS.map(({ knob }) => [knob.name, settings.resolver()(knob)])),
    }),
    onBatch: (batch) => {
      const options = {
        settleMs: resolve(DRAIN_KNOBS.settleSeconds) * 1_000,
        sessionsNeeded: resolve(DRAIN_KNOBS.recurringSessions),
      };
      for (const { id, moment } of ingestBatch(store, batch, options)) {
        events.emit({
          type: 'capture.moment',
          momentId: id,
          signal: moment.signal,
          agent: batch.position.agent,
        });
      }
      drain.wake();
      outcomes.wake();
      retractor.wake();
    },
    onProgress: (progress) => {
      events.emit({ type: 'capture.progress', progress });
      if (progress.filesDone === progress.filesTotal) retractor.wake();
    },
    onProblem: (message) => log.error(message),
  });

  const archive = new Archive({
    ...archiveParts,
    onProgress: (progress) => events.emit({ type: 'archive.progress', progress }),
    onImported: (mode) => {
      for (const index of vectorIndexes) index.restart();
      embedMissing();
      renewSnapshots({ db, folder: paths.corpora, now });
      distiller.imported();
      events.emit({ type: 'archive.imported', mode });
    },
  });

  let finish: () => void = () => {};
  const stopped = new Promise<void>((done) => (finish = done));
  const parts: DaemonParts = {
    paths,
    version: VERSION,
    startedAt: now(),
    now,
    log,
    settings,
    store,
    inference,
    vectorIndexes,
    recallCache: new RecallCache(),
    recallGauge: new RecallGauge(),
    skills,
    capture,
    drain,
    distiller,
    promotion,
    writer,
    reflector,
    events,
    agentsPlace: placeFor(home, environment),
    preview: previewNote,
    startNotices: notices,
    archive,
    openUrl: () => http.openUrl(),
    stop: () => void stop(),
    signal,
  };
  const retractor = new Retractor({
    store,
    log,
    resolve: () => settings.resolver(),
    findRelevant: (about, project) => findRelevant(recallPartsOf(parts), about, project),
    isReading: () => capture.state === 'back-filling',
  });
  const dispatch = createDispatch(createHandlers(parts), log);
  const token = newToken();
  const http = await listenOnHttp({ token, dispatch, events, renderer: RENDERER, now });
  const socket = await listenOnSocket({ path: paths.socket, token, dispatch, events });
  const run: RunFile = {
    pid: process.pid,
    version: VERSION,
    port: http.port,
    socket: paths.socket,
    token,
    startedAt: parts.startedAt,
    hooks: { startMs: resolve(HOOK_KNOBS.startMs), otherMs: resolve(HOOK_KNOBS.otherMs) },
  };
  writeRunFile(paths.runFile, run);
  log.info(`listening on ${paths.socket} and port ${http.port}`);

  /** Due once a day, and a daemon may run for months. */
  const tidying = new BackgroundTask({
    work: async () => {
      pruneLogs(db, now());
      await backUpDaily(db, paths.backups, now());
    },
    next: () => TIDY_EVERY,
    onError: (error) => log.error('pruning logs and backing up', error),
  });
  const rescanning = new BackgroundTask({
    work: async (aborted) => {
      await rescanInBackground(store, aborted);
      skills.refresh(
        listProjects(db)
          .map(({ root }) => root)
          .filter(Boolean),
      );
      tidying.wake();
    },
    onError: (error) => log.error('looking through the notes', error),
  });
  const documents = await watchDocuments(store, log);
  rescanning.wake();
  capture.setPaused(getMeta(db, PAUSED) === 'yes');
  if (resolve(DRAIN_KNOBS.capture)) capture.run();
  drain.wake();
  reflector.wake();
  outcomes.wake();
  retractor.wake();

  upkeep.wake();
  distiller.wake();

  async function stop(): Promise<void> {
    if (stopping.signal.aborted) return;
    stopping.abort(new DaemonError('unreachable', 'Reflect was stopped'));
    log.info('stopping');
    removeRunFile(paths.runFile);
    await Promise.allSettled([
      rescanning.stop(),
      tidying.stop(),
      skills.stop(),
      archive.stop(),
      http.close(),
      socket.close(),
      documents.close(),
      capture.stop(),
      drain.stop(),
      upkeep.stop(),
      distiller.stop(),
      lifecycle.stop(),
      reflector.stop(),
      outcomes.stop(),
      retractor.stop(),
      ...vectorIndexes.map((index) => index.stop()),
    ]);
    await inference.close();
    db.close();
    lock?.release();
    finish();
  }

  return { state: 'running', run, log, stop: () => void stop(), stopped };
}
