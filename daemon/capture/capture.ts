import { Worker } from 'node:worker_threads';
import { BackgroundTask } from '../platform/background-task.ts';
import { NOTHING_READ, type ReadProgress } from './progress.ts';
import type { Batch, CaptureStart, FromCapture, ReadRequest, ToCapture, WatchedFolder } from './protocol.ts';

export interface CaptureOptions {
  worker: URL;
  start: () => CaptureStart;
  /** Stores a batch durably; the thread reads on only afterwards. */
  onBatch: (batch: Batch) => void;
  onProgress: (progress: ReadProgress) => void;
  onProblem: (message: string) => void;
}

const RETRY = 5_000; // ms
const PATIENCE = 5_000; // ms; a thread that reads a huge line ends by itself a moment later

export interface CaptureListener {
  /** A batch was stored. */
  stored(): void;
  /** Everything that was found has been read. */
  caughtUp(): void;
}

/** The daemon's end of the capture thread. */
export class Capture {
  readonly #options: CaptureOptions;
  readonly #starting: BackgroundTask;
  #worker: Worker | null = null;
  #paused = false;
  #refusing = false;
  #restarting = false;
  #progress: ReadProgress = NOTHING_READ;
  readonly #listeners: CaptureListener[] = [];
  #folders: WatchedFolder[] = [];
  /** Who waits for a transcript to be read, by its path. */
  readonly #waiting = new Map<string, Array<() => void>>();

  constructor(options: CaptureOptions) {
    this.#options = options;
    this.#starting = new BackgroundTask({
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

  /** How far the reading has come; of the last time when nothing waits. */
  get progress(): ReadProgress {
    return this.#progress;
  }

  listen(listener: CaptureListener): void {
    this.#listeners.push(listener);
  }

  run(): void {
    this.#starting.run().catch(() => {}); // reported by the task
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#send({ type: paused ? 'pause' : 'resume' });
  }

  /** Has a transcript read now, before all others; settles when all that is in it is stored. */
  readNow(request: ReadRequest): Promise<void> {
    if (!this.#worker || this.#paused) return Promise.resolve();
    return new Promise((done) => {
      this.#waiting.set(request.path, [...(this.#waiting.get(request.path) ?? []), done]);
      this.#send({ type: 'read', request });
    });
  }

  /** Settings reach the thread when it starts. */
  restart(): void {
    if (!this.#worker || this.#restarting) return;
    this.#restarting = true;
    this.#send({ type: 'stop' });
  }

  async stop(): Promise<void> {
    await this.#starting.stop();
    const worker = this.#worker;
    this.#worker = null;
    if (!worker) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ type: 'stop' } satisfies ToCapture);
    const impatient = setTimeout(() => void worker.terminate(), PATIENCE);
    await exited;
    clearTimeout(impatient);
  }

  #start(): void {
    const worker = new Worker(this.#options.worker, { name: 'reflect-capture' });
    this.#worker = worker;
    this.#refusing = false;
    worker.on('message', (message: FromCapture) => this.#receive(message));
    worker.on('error', (error) =>
      this.#options.onProblem(`the capture thread failed: ${error.stack ?? error.message}`),
    );
    worker.on('exit', () => {
      for (const path of [...this.#waiting.keys()]) this.#requestDone(path);
      if (this.#worker !== worker) return;
      this.#worker = null;
      // Unasked, it died on something it could not survive; what it had not handed on is read again.
      this.#starting.wake(this.#restarting ? 0 : RETRY);
      this.#restarting = false;
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

  /** What could not be stored is read again from where the store stands, by a new thread. */
  #store(batch: Batch): void {
    // What comes after a batch that could not be stored would leave a gap.
    if (this.#refusing) return;
    try {
      this.#options.onBatch(batch);
      this.#send({ type: 'stored' });
      for (const { stored } of this.#listeners) stored();
    } catch (error) {
      this.#refusing = true;
      this.#options.onProblem(`storing what was read of ${batch.position.path}: ${String(error)}`);
      this.#send({ type: 'stop' });
    }
  }

  #requestDone(path: string): void {
    const waiting = this.#waiting.get(path) ?? [];
    this.#waiting.delete(path);
    for (const done of waiting) done();
  }

  #send(message: ToCapture): void {
    this.#worker?.postMessage(message);
  }
}
