import { Worker } from 'node:worker_threads';
import type { Batch, CaptureStart, FromCapture, ToCapture, WatchedFolder } from './protocol.ts';

export interface CaptureOptions {
  worker: URL;
  start: () => CaptureStart;
  /** Stores a batch durably; the thread reads on only afterwards. */
  onBatch: (batch: Batch) => void;
  onProgress: (waiting: number) => void;
  onProblem: (message: string) => void;
}

/** The daemon's end of the capture thread. */
export class Capture {
  readonly #options: CaptureOptions;
  #worker: Worker | null = null;
  #paused = false;
  #waiting = 0;
  #folders: WatchedFolder[] = [];

  constructor(options: CaptureOptions) {
    this.#options = options;
  }

  get folders(): readonly WatchedFolder[] {
    return this.#folders;
  }

  get state(): 'watching' | 'back-filling' | 'paused' | 'off' {
    if (!this.#worker) return 'off';
    if (this.#paused) return 'paused';
    return this.#waiting > 0 ? 'back-filling' : 'watching';
  }

  run(): void {
    const worker = new Worker(this.#options.worker, { name: 'reflect-capture' });
    this.#worker = worker;
    worker.on('message', (message: FromCapture) => this.#receive(message));
    worker.on('error', (error) => this.#options.onProblem(`the capture thread failed: ${error.stack ?? error.message}`));
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      // It died on something it could not survive; what it had not handed on is read again.
      this.#worker = null;
      setTimeout(() => this.run(), 5_000).unref();
    });
    this.#send({ type: 'start', start: this.#options.start() });
    if (this.#paused) this.#send({ type: 'pause' });
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#send({ type: paused ? 'pause' : 'resume' });
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    if (!worker) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ type: 'stop' } satisfies ToCapture);
    const impatient = setTimeout(() => void worker.terminate(), 2_000);
    await exited;
    clearTimeout(impatient);
  }

  #receive(message: FromCapture): void {
    switch (message.type) {
      case 'batch':
        this.#options.onBatch(message.batch);
        this.#send({ type: 'stored' });
        break;
      case 'folders': this.#folders = message.folders; break;
      case 'progress':
        this.#waiting = message.waiting;
        this.#options.onProgress(message.waiting);
        break;
      case 'problem': this.#options.onProblem(message.message);
    }
  }

  #send(message: ToCapture): void {
    this.#worker?.postMessage(message);
  }
}
