import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '#contract/connection.ts';
import type { DaemonEvent } from '#contract/status.ts';
import type { Send } from '#contract/methods.ts';
import type { RunFile } from '#contract/run-file.ts';
import { messageOf } from '#contract/errors.ts';

const LOOK_AGAIN_MS = 500;
const TIMEOUT_MS = 15_000;

/** The state of the line, and while it is down for a reason that a person can know, that reason. */
export interface Link {
  connected: boolean;
  problem: string | null;
}

const STOPPED = 'Reflect was stopped.';

/** One lasting line to a daemon that may come and go. */
export class DaemonConnection {
  readonly #ensureDaemon: () => Promise<RunFile | undefined>;
  readonly #eventListeners = new Set<(event: DaemonEvent) => void>();
  readonly #linkListeners = new Set<(link: Link) => void>();
  #connection: Connection | undefined;
  #problem: string | null = null;
  #wasConnected = false;
  #socket: Socket | undefined;
  #closed = false;

  constructor(ensureDaemon: () => Promise<RunFile | undefined>) {
    this.#ensureDaemon = ensureDaemon;
  }

  get connected(): boolean {
    return this.#connection !== undefined;
  }

  get problem(): string | null {
    return this.#problem;
  }

  /** Requests made while the daemon starts wait for it. Later gaps fail at once: a page can show what it has. */
  readonly send: Send = async (method, input) => {
    const isStarting = !this.#wasConnected && this.#problem === null;
    const connection = this.#connection ?? (isStarting ? await this.#whenConnected() : undefined);
    if (connection) return connection.send(method, input);
    return { ok: false, code: 'unreachable', ...(this.#problem === null ? {} : { detail: this.#problem }) };
  };

  onEvent(listener: (event: DaemonEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Called each time the line comes up or goes down, or cannot come up for another reason than before. */
  onLink(listener: (link: Link) => void): () => void {
    this.#linkListeners.add(listener);
    return () => this.#linkListeners.delete(listener);
  }

  /** Connects, and connects again whenever the line breaks, until closed. */
  async keepOpen(report: (problem: unknown) => void): Promise<void> {
    while (!this.#closed) {
      try {
        const runFile = await this.#ensureDaemon();
        if (runFile && !this.#closed) await this.#talk(runFile, report);
        else this.#failed(STOPPED);
      } catch (problem) {
        this.#failed(messageOf(problem));
        report(problem);
      }
      if (!this.#closed) await delay(LOOK_AGAIN_MS);
    }
  }

  close(): void {
    this.#closed = true;
    this.#socket?.destroy();
  }

  /** Resolves when the line breaks. */
  async #talk({ socket: address, token }: RunFile, report: (problem: unknown) => void): Promise<void> {
    const socket = connect(address);
    this.#socket = socket;
    const connection = new Connection({ send: (message) => socket.write(`${message}\n`) }, { token });
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined); // a 'close' always follows, and that is what we act on
    const lines = createInterface({ input: socket, crlfDelay: Infinity });
    // It passes the socket's errors on; unheard, Electron stops the whole app with a message box.
    lines.on('error', () => undefined);
    lines.on('line', (line) => {
      try {
        connection.receive(line);
      } catch (problem) {
        // A newer daemon may say what we cannot read; the rest of the conversation goes on.
        report(problem);
      }
    });
    void ended.then(() => connection.closed());

    const subscribed = await connection.subscribe((event) => this.#notify(this.#eventListeners, event));
    if (subscribed.ok) {
      this.#connection = connection;
      this.#wasConnected = true;
      this.#problem = null;
      this.#notify(this.#linkListeners, { connected: true, problem: null });
      await ended;
      this.#connection = undefined;
      this.#notify(this.#linkListeners, { connected: false, problem: null });
    }
    socket.destroy();
  }

  #failed(problem: string): void {
    if (problem === this.#problem || this.#closed) return;
    this.#problem = problem;
    this.#notify(this.#linkListeners, { connected: false, problem });
  }

  #notify<T>(listeners: Set<(value: T) => void>, value: T): void {
    for (const listener of listeners) listener(value);
  }

  #whenConnected(): Promise<Connection | undefined> {
    return new Promise((resolve) => {
      const settle = () => {
        clearTimeout(timer);
        stopListening();
        resolve(this.#connection);
      };
      const timer = setTimeout(settle, TIMEOUT_MS);
      const stopListening = this.onLink(({ connected, problem }) => {
        if (connected || problem !== null) settle();
      });
    });
  }
}
