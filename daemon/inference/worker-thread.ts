import { Worker } from 'node:worker_threads';
import { DaemonError } from '#contract/errors.ts';
import type { Work, WorkerReply, WorkerRequest, WorkerSettings } from './worker-messages.ts';

/** The model's files cannot be made into a session; trying again would give the same. */
export class LoadFailure extends Error {
  override readonly name = 'LoadFailure';
}

interface Options {
  url: URL;
  threads: number;
  idleMs: number;
  onLoaded: (key: string, ms: number) => void;
  /** The thread is gone, and with it all sessions. */
  onGone: (why: string | null) => void;
}

interface Waiting {
  resolve: (values: Float32Array) => void;
  reject: (error: Error) => void;
}

const LONGEST_WORK = 15_000; // ms; what takes longer hangs, and is ended at the risk of a crash

/** Native code that loads or computes for a thread that is gone aborts the whole process, so a thread ends between two works. */
function allAnswered(worker: Worker, unanswered: Set<number>): Promise<void> {
  if (unanswered.size === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const patience = setTimeout(resolve, LONGEST_WORK);
    const done = () => {
      clearTimeout(patience);
      resolve();
    };
    worker.once('exit', done);
    worker.on('message', (reply: WorkerReply) => {
      if (reply.kind !== 'loaded') unanswered.delete(reply.ticket);
      if (unanswered.size === 0) done();
    });
  });
}

/**
 * The inference thread as a function: started by the first work, started anew after a crash, ended after `idleMs` without work.
 * Ending the thread is how memory is given back: releasing the sessions alone left 210 of 253 MB, ending it 144.
 */
export function createWorkerThread({ url, threads, idleMs, onLoaded, onGone }: Options) {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let lastTicket = 0;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    // onnxruntime phones home unless the process environment says no. A worker's `process.env` is a copy that native code never
    // sees, so this must stand here, on the main thread, before there is a worker.
    process.env.ORT_DISABLE_TELEMETRY = '1';
    const workerData: WorkerSettings = { threads };
    // Flags of the parent (an inspector, a test runner's loader) are not for this thread.
    const started = new Worker(url, { workerData, execArgv: [], name: 'inference' });
    started.on('message', (reply: WorkerReply) => hear(started, reply));
    started.on('error', (error) => gone(started, `the inference thread failed: ${error.message}`));
    started.on('exit', () => gone(started, 'the inference thread ended'));
    return started;
  }

  function hear(which: Worker, reply: WorkerReply): void {
    if (worker !== which) return;
    if (reply.kind === 'loaded') return onLoaded(reply.key, reply.ms);
    const asker = waiting.get(reply.ticket);
    waiting.delete(reply.ticket);
    if (waiting.size === 0) rest();
    if (reply.kind === 'done') asker?.resolve(reply.values);
    else
      asker?.reject(
        reply.stage === 'load' ? new LoadFailure(reply.message) : new DaemonError('internal', reply.message),
      );
  }

  function gone(which: Worker, why: string): void {
    if (worker !== which) return;
    worker = null;
    clearTimeout(idle);
    for (const { reject } of waiting.values()) reject(new DaemonError('internal', why));
    waiting.clear();
    onGone(why);
  }

  /** With nothing to do the thread must not keep the process alive, nor its memory for long. */
  function rest(): void {
    worker?.unref();
    clearTimeout(idle);
    if (idleMs > 0) idle = setTimeout(() => void stop(), idleMs).unref();
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    const ending = worker;
    if (!ending) return;
    worker = null;
    const unanswered = new Set(waiting.keys());
    for (const { reject } of waiting.values())
      reject(new DaemonError('unreachable', 'inference is stopping'));
    waiting.clear();
    // Told first: by the time the old thread has ended a new one may have loaded something.
    onGone(null);
    await allAnswered(ending, unanswered);
    await ending.terminate();
  }

  function call(work: Work): Promise<Float32Array> {
    clearTimeout(idle);
    worker ??= start();
    worker.ref();
    lastTicket += 1;
    const request: WorkerRequest = { ...work, ticket: lastTicket };
    worker.postMessage(request);
    return new Promise((resolve, reject) => waiting.set(request.ticket, { resolve, reject }));
  }

  return { call, stop };
}
