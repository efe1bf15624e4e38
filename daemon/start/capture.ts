import { Capture } from '../capture/capture.ts';
import { WATCH_KNOBS } from '../capture/knobs.ts';
import type { Batch, CaptureStart } from '../capture/protocol.ts';
import { ingestBatch } from '../drain/ingest.ts';
import { hasAgreed } from '../drain/consent.ts';
import { DRAIN_KNOBS } from '../drain/knobs.ts';
import { IgnoreRules } from '../platform/ignore.ts';
import { agentsEnvironment, agentsHome } from '../platform/paths.ts';
import { isUserKnob } from '../ports/knob.ts';
import { KNOBS } from '../registry.ts';
import { agentsReadSince, readPositions, sweptFiles } from '../store/capture/transcripts.ts';
import { getMeta, LOST, PAUSED } from '../store/meta.ts';
import type { Core } from './core.ts';

const BUILT = !import.meta.url.endsWith('.ts');
const WORKER = new URL(BUILT ? './capture-worker.js' : '../capture/worker.ts', import.meta.url);

/** Creates the capture of transcripts; it starts reading with `runCapture`, after its consumers have started. */
export function createCapture(core: Core): Capture {
  const { log, events, incidents, running } = core;
  const capture = new Capture({
    worker: WORKER,
    start: () => startOf(core),
    onBatch: (batch) => ingest(core, batch),
    onProgress: (progress) => events.emit({ type: 'capture.progress', progress }),
    onProblem: (message) => log.error(message),
    onCrash: (error) => {
      log.error('the capture thread failed and starts again', error);
      incidents.report('reading transcripts', error);
    },
  });
  running.add('capture', () => capture.stop());
  return capture;
}

/** Starts reading transcripts, unless a setting forbids it or a person has yet to agree or to decide. */
export function readTranscripts(core: Core, capture: Capture): void {
  if (mayRead(core)) capture.run();
}

/** Without the positions in the backup of a lost database, every transcript would be read again. */
const mayRead = ({ store, settings, resolve, readsOnly }: Core) =>
  !readsOnly && resolve(DRAIN_KNOBS.capture) && hasAgreed(store, settings) && !getMeta(store.db, LOST);

export function runCapture(core: Core, capture: Capture): void {
  const { store, settings } = core;
  capture.setPaused(getMeta(store.db, PAUSED) === 'yes');
  readTranscripts(core, capture);
  settings.onChange((changed) => {
    if (!mayRead(core)) {
      capture.turnOff();
      return;
    }
    if (changed.has(DRAIN_KNOBS.capture.name)) capture.run();
    if (READ_BY_THREAD.some(({ name }) => changed.has(name))) capture.restart();
  });
}

/** The settings of the thread, which gets them when it starts. */
const READ_BY_THREAD = KNOBS.filter(({ port }) => /^(?:signal|capture)\b/.test(port))
  .map(({ knob }) => knob)
  .filter(isUserKnob);

function startOf({ environment, store, resolve, now }: Core): CaptureStart {
  return {
    home: agentsHome(environment),
    environment: agentsEnvironment(environment),
    positions: readPositions(store.db),
    swept: sweptFiles(store.db),
    readSince: agentsReadSince(store.db, new IgnoreRules(resolve(WATCH_KNOBS.ignore)).agents, now()),
    knobs: Object.fromEntries(READ_BY_THREAD.map((knob) => [knob.name, resolve(knob)])),
  };
}

function ingest({ store, resolve, events }: Core, batch: Batch): void {
  const options = {
    settleMs: resolve(DRAIN_KNOBS.settleSeconds) * 1_000,
    sessionsNeeded: resolve(DRAIN_KNOBS.recurringSessions),
  };
  const { agent } = batch.position;
  for (const { id, moment } of ingestBatch(store, batch, options))
    events.emit({ type: 'capture.moment', momentId: id, signal: moment.signal, agent });
}
