import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parentPort } from 'node:worker_threads';
import watcher from '@parcel/watcher';
import type { Resolve } from '../ports/knob.ts';
import type { TranscriptAdapter } from '../transcripts/adapter.ts';
import { AGENTS } from '../transcripts/agents.ts';
import { clean } from './clean.ts';
import type { ReadPosition } from '../transcripts/read-position.ts';
import type { CaptureStart, FromCapture, ToCapture, WatchedFolder } from './protocol.ts';
import { type Stretch, TranscriptReader } from './reader.ts';

const RESCAN = 5 * 60_000; // ms; for events a network drive or a full kernel queue never delivered
const READERS_KEPT = 200;

interface Waiting {
  adapter: TranscriptAdapter;
  mtimeMs: number;
  /** It changed while we watched: somebody is working there now. */
  live: boolean;
  bytes: number;
}

const goesBefore = (one: Waiting, other: Waiting) => (one.live === other.live ? one.mtimeMs > other.mtimeMs : one.live);

interface Root {
  adapter: TranscriptAdapter;
  folder: string;
  subscription: watcher.AsyncSubscription | null;
}

/** The capture thread: watches, reads, notices and redacts. What it posts is clean, and it reads on once that is stored. */
class CaptureThread {
  readonly #post: (message: FromCapture) => void;
  readonly #roots: Root[];
  readonly #resolve: Resolve;
  readonly #readers = new Map<string, TranscriptReader>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #positions: Map<string, ReadPosition>;
  #paused = false;
  #busy = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(start: CaptureStart, post: (message: FromCapture) => void) {
    this.#post = post;
    this.#positions = new Map(start.positions.map((position) => [position.path, position]));
    // The daemon sends every knob as it stands, so the thread needs no settings of its own.
    this.#resolve = (knob) => (start.knobs[knob.name] ?? knob.default) as typeof knob.default;
    this.#roots = AGENTS.flatMap((adapter) =>
      adapter.roots(start.home, start.environment).map((folder): Root => ({ adapter, folder, subscription: null })));
  }

  async watch(): Promise<void> {
    for (const root of this.#roots) {
      if (!root.subscription && existsSync(root.folder)) await this.#subscribe(root);
    }
    const folders = this.#roots.map(({ adapter, folder, subscription }): WatchedFolder => ({ agent: adapter.agent, folder, present: subscription !== null }));
    this.#post({ type: 'folders', folders });
    clearTimeout(this.#timer);
    // A folder that is not there yet appears when its agent first runs, which is when people look: ask often for those.
    const patient = this.#roots.every(({ subscription }) => subscription !== null);
    this.#timer = setTimeout(() => void this.#watchAgain(), patient ? RESCAN : 2_000);
    this.next();
  }

  async #watchAgain(): Promise<void> {
    for (const root of this.#roots) if (root.subscription) this.#scan(root);
    await this.watch();
  }

  async #subscribe(root: Root): Promise<void> {
    try {
      root.subscription = await watcher.subscribe(root.folder, (error, events) => {
        if (error) this.#post({ type: 'problem', message: `watching ${root.folder}: ${error.message}` });
        for (const { type, path } of events) if (type !== 'delete') this.#dirty(root, path, true);
        this.next();
      });
      this.#scan(root);
    } catch (error) {
      this.#post({ type: 'problem', message: `watching ${root.folder}: ${String(error)}` });
    }
  }

  #scan(root: Root): void {
    for (const entry of readdirSync(root.folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) this.#dirty(root, join(entry.parentPath, entry.name), false);
    }
  }

  #dirty({ adapter, folder }: Root, path: string, live: boolean): void {
    if (!adapter.matches(relative(folder, path))) return;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile()) return;
    const known = this.#positions.get(path);
    if (!live && known?.size === stat.size && known.position === stat.size) return;
    this.#waiting.set(path, { adapter, mtimeMs: stat.mtimeMs, live, bytes: stat.size });
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.next();
  }

  /** The daemon has stored the last batch. */
  stored(): void {
    this.#busy = false;
    this.next();
  }

  next(): void {
    if (this.#busy || this.#paused) return;
    for (let path = this.#nextPath(); path; path = this.#nextPath()) {
      const stretch = this.#read(path);
      if (!stretch || stretch.caughtUp) this.#waiting.delete(path);
      if (!stretch) continue;
      this.#busy = true;
      this.#positions.set(path, stretch.position);
      this.#post({ type: 'batch', batch: clean(stretch) });
      this.#post({ type: 'progress', waiting: this.#waiting.size, bytes: [...this.#waiting.values()].reduce((sum, { bytes }) => sum + bytes, 0) });
      return;
    }
  }

  #nextPath(): string | undefined {
    let first: [string, Waiting] | undefined;
    for (const entry of this.#waiting) if (!first || goesBefore(entry[1], first[1])) first = entry;
    return first?.[0];
  }

  #read(path: string): Stretch | null {
    try {
      return this.#reader(path).read();
    } catch (error) {
      // Deleted or locked between the event and the read: the next event or scan brings it back.
      this.#post({ type: 'problem', message: `reading ${path}: ${String(error)}` });
      return null;
    }
  }

  #reader(path: string): TranscriptReader {
    const known = this.#readers.get(path);
    if (known) return known;
    const adapter = this.#waiting.get(path)?.adapter;
    if (!adapter) throw new Error(`no adapter for ${path}`);
    const reader = new TranscriptReader(adapter, path, this.#positions.get(path) ?? null, this.#resolve);
    if (this.#readers.size >= READERS_KEPT) this.#readers.delete(this.#readers.keys().next().value ?? '');
    this.#readers.set(path, reader);
    return reader;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#paused = true;
    for (const { subscription } of this.#roots) await subscription?.unsubscribe();
  }
}

function run(port: NonNullable<typeof parentPort>): void {
  let thread: CaptureThread | null = null;
  port.on('message', (message: ToCapture) => {
    switch (message.type) {
      case 'start':
        thread = new CaptureThread(message.start, (outgoing) => port.postMessage(outgoing));
        void thread.watch();
        break;
      case 'stored': thread?.stored(); break;
      case 'pause': thread?.setPaused(true); break;
      case 'resume': thread?.setPaused(false); break;
      case 'stop': void Promise.resolve(thread?.stop()).then(() => port.close());
    }
  });
}

if (parentPort) run(parentPort);
