import { Worker } from 'node:worker_threads';
import { DaemonError } from '#contract/errors.ts';
import { threadEnd } from '../platform/thread-end.ts';
import type { Computed, Job, Work, WorkerReply, WorkerRequest, WorkerSettings } from './worker-messages.ts';

/** The model's files cannot be loaded; another attempt would fail in the same way. */
export class LoadFailure extends Error {
  override readonly name = 'LoadFailure';
}

interface Options {
  url: URL;
  threads: number;
  onLoaded: (key: string, ms: number) => void;
  /** The thread has ended, and its sessions of these files with it; the reason is null when it was stopped. */
  onEnded: (reason: string | null, keys: ReadonlySet<string>) => void;
}

interface Waiting {
  resolve: (computed: Computed) => void;
  reject: (error: Error) => void;
}

const LONGEST_WORK = 15_000; // ms; work that takes longer hangs
/** MB. Weights and tensors are outside of it; by default V8 lets it grow to several times what is in use. */
const MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 };

/**
 * An inference thread as a function. It starts with the first job, and again after a crash or a stop. Ending it is what
 * frees memory: releasing only the sessions left 210 of 253 MB, ending the thread 144.
 */
export function createWorkerThread({ url, threads, onLoaded, onEnded }: Options) {
  const waiting = new Map<number, Waiting>();
  const loaded = new Set<string>();
  let worker: Worker | null = null;
  let lastTicket = 0;

  function start(): Worker {
    // onnxruntime sends telemetry unless the process environment forbids it. A worker's `process.env` is a copy that
    // native code never sees, so it is set here, on the main thread, before a worker exists.
    process.env.ORT_DISABLE_TELEMETRY = '1';
    const workerData: WorkerSettings = { threads };
    // This thread does not take the parent's flags, such as an inspector or a test runner's loader.
    const started = new Worker(url, { workerData, execArgv: [], name: 'inference', resourceLimits: MEMORY });
    started.on('message', (reply: WorkerReply) => receive(started, reply));
    started.on('error', (error) => ended(started, `the inference thread failed: ${error.message}`));
    started.on('exit', () => ended(started, 'the inference thread ended'));
    return started;
  }

  function receive(which: Worker, reply: WorkerReply): void {
    if (worker !== which) return;
    if (reply.kind === 'loaded') {
      loaded.add(reply.key);
      return onLoaded(reply.key, reply.ms);
    }
    const caller = waiting.get(reply.ticket);
    waiting.delete(reply.ticket);
    if (waiting.size === 0) worker.unref(); // an idle thread must not keep the process alive
    if (reply.kind === 'done') caller?.resolve(reply);
    else
      caller?.reject(
        reply.stage === 'load' ? new LoadFailure(reply.message) : new DaemonError('internal', reply.message),
      );
  }

  function ended(which: Worker, reason: string): void {
    if (worker !== which) return;
    worker = null;
    for (const { reject } of waiting.values()) reject(new DaemonError('internal', reason));
    waiting.clear();
    unload(reason);
  }

  function unload(reason: string | null): void {
    const keys = new Set(loaded);
    loaded.clear();
    onEnded(reason, keys);
  }

  async function stop(): Promise<void> {
    const ending = worker;
    if (!ending) return;
    worker = null;
    for (const { reject } of waiting.values())
      reject(new DaemonError('unreachable', 'inference is stopping'));
    waiting.clear();
    // Reported first: by the time the old thread has ended, a new one may have loaded a model.
    unload(null);
    ending.ref(); // so that it is waited for
    ending.postMessage({ kind: 'stop' } satisfies WorkerRequest);
    await threadEnd(ending, LONGEST_WORK);
  }

  function call(work: Work): Promise<Computed> {
    worker ??= start();
    worker.ref();
    lastTicket += 1;
    const request: Job = { ...work, ticket: lastTicket };
    worker.postMessage(request);
    return new Promise((resolve, reject) => waiting.set(request.ticket, { resolve, reject }));
  }

  return { call, stop };
}
