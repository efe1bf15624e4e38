import { Worker } from 'node:worker_threads';
import { BackgroundTask } from '../platform/background-task.ts';
import { threadEnd } from '../platform/thread-end.ts';
import { NOTHING_READ, type ReadProgress } from './progress.ts';
import type { Batch, CaptureStart, FromCapture, ReadRequest, ToCapture, WatchedFolder } from './protocol.ts';

export interface CaptureOptions {
  worker: URL;
  start: () => CaptureStart;
  /** Stores a batch durably; the thread reads on only afterwards. */
  onBatch: (batch: Batch) => void;
  onProgress: (progress: ReadProgress) => void;
  onProblem: (message: string) => void;
  /** The thread ended by an exception; a new one starts in a moment. */
  onCrash: (error: Error) => void;
}

const RETRY = 5_000; // ms
// MB for what lives as short as a line, and for the rest: by default both grow to several times what is in use, and
// stay. A line of 64 MB still fits.
const MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };
const STOP_TIMEOUT = 15_000; // ms; reading a huge line, or starting on a busy machine, takes seconds

export interface CaptureListener {
  /** A batch was stored. */
  stored: () => void;
  /** Every transcript found has been read. */
  caughtUp: () => void;
}

/** The daemon's end of the capture thread. */
export class Capture {
  readonly #options: CaptureOptions;
  readonly #starter: BackgroundTask;
  #worker: Worker | null = null;
  #paused = false;
  #isRefusing = false;
  #isRestarting = false;
  #isOff = false;
  #progress: ReadProgress = NOTHING_READ;
  readonly #listeners: CaptureListener[] = [];
  #folders: WatchedFolder[] = [];
  /** Callbacks of read requests that are not answered yet, by path. */
  readonly #requests = new Map<string, Array<() => void>>();

  constructor(options: CaptureOptions) {
    this.#options = options;
    this.#starter = new BackgroundTask({
      retryMs: RETRY,
      work: () => this.#start(),
      onError: (error) => options.onProblem(`starting the capture thread: ${String(error)}`),
    });
  }

  get folders(): readonly WatchedFolder[] {
    return this.#folders;
  }

  get state(): 'watching' | 'back-filling' | 'paused' | 'off' {
    if (!this.#worker) return 'off';
    if (this.#paused) return 'paused';
    return this.#progress.filesDone < this.#progress.filesTotal ? 'back-filling' : 'watching';
  }

  /** How much has been read; when nothing is waiting, the figures of the last time. */
  get progress(): ReadProgress {
    return this.#progress;
  }

  listen(listener: CaptureListener): void {
    this.#listeners.push(listener);
  }

  /** Starts the thread; it reads on from where the last one stopped. */
  run(): void {
    if (this.#worker) return;
    this.#isOff = false;
    this.#starter.run().catch(() => {}); // reported by the task
  }

  /** Nothing is stored from now on, not even what the thread has already read; `run` starts it again. */
  turnOff(): void {
    this.#isOff = true;
    const worker = this.#worker;
    this.#worker = null;
    this.#isRestarting = false;
    worker?.postMessage({ type: 'stop' } satisfies ToCapture);
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#send({ type: paused ? 'pause' : 'resume' });
  }

  /** Requests that a transcript is read now, before all others; resolves once all of it is stored. */
  readNow(request: ReadRequest): Promise<void> {
    if (!this.#worker || this.#paused) return Promise.resolve();
    return new Promise((done) => {
      this.#requests.set(request.path, [...(this.#requests.get(request.path) ?? []), done]);
      this.#send({ type: 'read', request });
    });
  }

  /** Starts the thread again: it gets the settings when it starts. */
  restart(): void {
    if (!this.#worker || this.#isRestarting) return;
    this.#isRestarting = true;
    this.#send({ type: 'stop' });
  }

  async stop(): Promise<void> {
    await this.#starter.stop();
    const worker = this.#worker;
    this.#worker = null;
    if (!worker) return;
    worker.postMessage({ type: 'stop' } satisfies ToCapture);
    if (!(await threadEnd(worker, STOP_TIMEOUT)))
      this.#options.onProblem('the capture thread did not end and was left behind');
  }

  #start(): void {
    if (this.#isOff) return;
    const worker = new Worker(this.#options.worker, {
      name: 'reflect-capture',
      resourceLimits: MEMORY,
    });
    this.#worker = worker;
    this.#isRefusing = false;
    worker.on('message', (message: FromCapture) => {
      // One that was turned off has nothing to say: what it read is read again by the next.
      if (this.#worker === worker) this.#receive(message);
    });
    worker.on('error', (error) => this.#options.onCrash(error));
    worker.on('exit', () => {
      for (const path of [...this.#requests.keys()]) this.#requestDone(path);
      if (this.#worker !== worker) return;
      this.#worker = null;
      // A thread that ended by itself has crashed; the new one reads again what it had not posted.
      this.#starter.wake(this.#isRestarting ? 0 : RETRY);
      this.#isRestarting = false;
    });
    this.#send({ type: 'start', start: this.#options.start() });
    if (this.#paused) this.#send({ type: 'pause' });
  }

  #receive(message: FromCapture): void {
    switch (message.type) {
      case 'batch':
        this.#store(message.batch);
        break;
      case 'folders':
        this.#folders = message.folders;
        break;
      case 'request-done':
        this.#requestDone(message.path);
        break;
      case 'progress':
        this.#progress = message.progress;
        this.#options.onProgress(message.progress);
        if (message.progress.filesDone === message.progress.filesTotal)
          for (const { caughtUp } of this.#listeners) caughtUp();
        break;
      case 'problem':
        this.#options.onProblem(message.message);
    }
  }

  /** When a batch cannot be stored, a new thread reads it again from the position in the store. */
  #store(batch: Batch): void {
    // Storing what follows a batch that was not stored would leave a gap.
    if (this.#isRefusing) return;
    try {
      this.#options.onBatch(batch);
      this.#send({ type: 'stored' });
      for (const { stored } of this.#listeners) stored();
    } catch (error) {
      this.#isRefusing = true;
      this.#options.onProblem(`storing what was read of ${batch.position.path}: ${String(error)}`);
      this.#send({ type: 'stop' });
    }
  }

  #requestDone(path: string): void {
    const callbacks = this.#requests.get(path) ?? [];
    this.#requests.delete(path);
    for (const done of callbacks) done();
  }

  #send(message: ToCapture): void {
    this.#worker?.postMessage(message);
  }
}
