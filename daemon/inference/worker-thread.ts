import { Worker } from 'node:worker_threads';
import { DaemonError } from '#contract/errors.ts';
import { threadEnd } from '../platform/thread-end.ts';
import type { Job, Work, WorkerReply, WorkerRequest, WorkerSettings } from './worker-messages.ts';

/** The model's files cannot be loaded; another attempt would fail in the same way. */
export class LoadFailure extends Error {
  override readonly name = 'LoadFailure';
}

interface Options {
  url: URL;
  threads: number;
  idleMs: number;
  onLoaded: (key: string, ms: number) => void;
  /** The thread has ended, and all its sessions with it; the reason is null when it was stopped. */
  onEnded: (reason: string | null) => void;
}

interface Waiting {
  resolve: (values: Float32Array) => void;
  reject: (error: Error) => void;
}

const LONGEST_WORK = 15_000; // ms; work that takes longer hangs

/**
 * The inference thread as a function. It starts with the first job and again after a crash, and ends after `idleMs` without
 * one. Ending the thread is what frees memory: releasing only the sessions left 210 of 253 MB, ending it 144.
 */
export function createWorkerThread({ url, threads, idleMs, onLoaded, onEnded }: Options) {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let lastTicket = 0;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    // onnxruntime sends telemetry unless the process environment forbids it. A worker's `process.env` is a copy that native
    // code never sees, so it is set here, on the main thread, before a worker exists.
    process.env.ORT_DISABLE_TELEMETRY = '1';
    const workerData: WorkerSettings = { threads };
    // This thread does not take the parent's flags, such as an inspector or a test runner's loader.
    const started = new Worker(url, { workerData, execArgv: [], name: 'inference' });
    started.on('message', (reply: WorkerReply) => receive(started, reply));
    started.on('error', (error) => ended(started, `the inference thread failed: ${error.message}`));
    started.on('exit', () => ended(started, 'the inference thread ended'));
    return started;
  }

  function receive(which: Worker, reply: WorkerReply): void {
    if (worker !== which) return;
    if (reply.kind === 'loaded') return onLoaded(reply.key, reply.ms);
    const caller = waiting.get(reply.ticket);
    waiting.delete(reply.ticket);
    if (waiting.size === 0) rest();
    if (reply.kind === 'done') caller?.resolve(reply.values);
    else
      caller?.reject(
        reply.stage === 'load' ? new LoadFailure(reply.message) : new DaemonError('internal', reply.message),
      );
  }

  function ended(which: Worker, reason: string): void {
    if (worker !== which) return;
    worker = null;
    clearTimeout(idle);
    for (const { reject } of waiting.values()) reject(new DaemonError('internal', reason));
    waiting.clear();
    onEnded(reason);
  }

  /** An idle thread must not keep the process alive, nor its memory for long. */
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
    for (const { reject } of waiting.values())
      reject(new DaemonError('unreachable', 'inference is stopping'));
    waiting.clear();
    // Reported first: by the time the old thread has ended, a new one may have loaded a model.
    onEnded(null);
    ending.ref(); // so that it is waited for
    ending.postMessage({ kind: 'stop' } satisfies WorkerRequest);
    await threadEnd(ending, LONGEST_WORK);
  }

  function call(work: Work): Promise<Float32Array> {
    clearTimeout(idle);
    worker ??= start();
    worker.ref();
    lastTicket += 1;
    const request: Job = { ...work, ticket: lastTicket };
    worker.postMessage(request);
    return new Promise((resolve, reject) => waiting.set(request.ticket, { resolve, reject }));
  }

  return { call, stop };
}
