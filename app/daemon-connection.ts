import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '#contract/connection.ts';
import type { DaemonEvent } from '#contract/status.ts';
import type { Send } from '#contract/methods.ts';
import type { RunFile } from '#contract/run-file.ts';

const LOOK_AGAIN_MS = 500;
const PATIENCE_MS = 15_000;

/** One lasting line to a daemon that may come and go. */
export class DaemonConnection {
  readonly #ensureDaemon: () => Promise<RunFile | undefined>;
  readonly #eventListeners = new Set<(event: DaemonEvent) => void>();
  readonly #linkListeners = new Set<(connected: boolean) => void>();
  #connection: Connection | undefined;
  #wasConnected = false;
  #socket: Socket | undefined;
  #closed = false;

  constructor(ensureDaemon: () => Promise<RunFile | undefined>) {
    this.#ensureDaemon = ensureDaemon;
  }

  get connected(): boolean {
    return this.#connection !== undefined;
  }

  /** Requests made while the daemon starts wait for it. Later gaps fail at once, because a page can show what it has. */
  readonly send: Send = async (method, input) => {
    const connection = this.#connection ?? (this.#wasConnected ? undefined : await this.#whenConnected());
    return connection ? connection.send(method, input) : { ok: false, code: 'unreachable' };
  };

  onEvent(listener: (event: DaemonEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Told each time the line comes up or goes down. */
  onLink(listener: (connected: boolean) => void): () => void {
    this.#linkListeners.add(listener);
    return () => this.#linkListeners.delete(listener);
  }

  /** Connects, and connects again whenever the line breaks, until closed. */
  async keepOpen(report: (problem: unknown) => void): Promise<void> {
    while (!this.#closed) {
      try {
        const runFile = await this.#ensureDaemon();
        if (runFile && !this.#closed) await this.#talk(runFile, report);
      } catch (problem) {
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

    const subscribed = await connection.subscribe((event) => this.#tell(this.#eventListeners, event));
    if (subscribed.ok) {
      this.#connection = connection;
      this.#wasConnected = true;
      this.#tell(this.#linkListeners, true);
      await ended;
      this.#connection = undefined;
      this.#tell(this.#linkListeners, false);
    }
    socket.destroy();
  }

  #tell<T>(listeners: Set<(value: T) => void>, value: T): void {
    for (const listener of listeners) listener(value);
  }

  #whenConnected(): Promise<Connection | undefined> {
    return new Promise((resolve) => {
      const settle = () => {
        clearTimeout(timer);
        stopListening();
        resolve(this.#connection);
      };
      const timer = setTimeout(settle, PATIENCE_MS);
      const stopListening = this.onLink((connected) => {
        if (connected) settle();
      });
    });
  }
}
