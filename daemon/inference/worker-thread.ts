import { Worker } from 'node:worker_threads';
import { DaemonError } from '#contract/errors.ts';
import { threadEnd } from '../platform/thread-end.ts';
import type { Computed, Job, Work, WorkerReply, WorkerRequest, WorkerSettings } from './worker-messages.ts';

/** The model's files cannot be loaded; another attempt would fail in the same way. */
export class LoadFailure extends Error {
  override readonly name = 'LoadFailure';
}

interface Options {
  url: URL | undefined;
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
 * An inference thread. It starts with the first job, and again after a crash or a stop. Ending it is what frees memory:
 * releasing only the sessions left 210 of 253 MB, ending the thread 144.
 */
export class WorkerThread {
  readonly #options: Options;
  readonly #waiting = new Map<number, Waiting>();
  readonly #loaded = new Set<string>();
  #worker: Worker | null = null;
  #lastTicket = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  call(work: Work): Promise<Computed> {
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#lastTicket += 1;
    const request: Job = { ...work, ticket: this.#lastTicket };
    this.#worker.postMessage(request);
    return new Promise((resolve, reject) => this.#waiting.set(request.ticket, { resolve, reject }));
  }

  async stop(): Promise<void> {
    const ending = this.#worker;
    if (!ending) return;
    this.#worker = null;
    this.#refuseAll(new DaemonError('unreachable', 'inference is stopping'));
    // Reported first: by the time the old thread has ended, a new one may have loaded a model.
    this.#unload(null);
    ending.ref(); // so that it is waited for
    ending.postMessage({ kind: 'stop' } satisfies WorkerRequest);
    await threadEnd(ending, LONGEST_WORK);
  }

  #start(): Worker {
    // onnxruntime sends telemetry unless the process environment forbids it. A worker's `process.env` is a copy that
    // native code never sees, so it is set here, on the main thread, before a worker exists.
    process.env.ORT_DISABLE_TELEMETRY = '1';
    const { url = defaultWorkerUrl(), threads } = this.#options;
    const workerData: WorkerSettings = { threads };
    // This thread does not take the parent's flags, such as an inspector or a test runner's loader.
    const started = new Worker(url, { workerData, execArgv: [], name: 'inference', resourceLimits: MEMORY });
    started.on('message', (reply: WorkerReply) => this.#receive(started, reply));
    started.on('error', (error) => this.#ended(started, `the inference thread failed: ${error.message}`));
    started.on('exit', () => this.#ended(started, 'the inference thread ended'));
    return started;
  }

  #receive(which: Worker, reply: WorkerReply): void {
    if (this.#worker !== which) return;
    if (reply.kind === 'loaded') {
      this.#loaded.add(reply.key);
      return this.#options.onLoaded(reply.key, reply.ms);
    }
    const caller = this.#waiting.get(reply.ticket);
    this.#waiting.delete(reply.ticket);
    if (this.#waiting.size === 0) which.unref(); // an idle thread must not keep the process alive
    if (reply.kind === 'done') caller?.resolve(reply);
    else
      caller?.reject(
        reply.stage === 'load' ? new LoadFailure(reply.message) : new DaemonError('internal', reply.message),
      );
  }

  #ended(which: Worker, reason: string): void {
    if (this.#worker !== which) return;
    this.#worker = null;
    this.#refuseAll(new DaemonError('internal', reason));
    this.#unload(reason);
  }

  #refuseAll(error: DaemonError): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #unload(reason: string | null): void {
    const keys = new Set(this.#loaded);
    this.#loaded.clear();
    this.#options.onEnded(reason, keys);
  }
}

/** The worker beside this file: its source, or what the build made of it. */
function defaultWorkerUrl(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './inference-worker.js', import.meta.url);
}
