import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import watcher from '@parcel/watcher';
import { WATCH_BACKEND } from '../platform/watch-backend.ts';
import type { TranscriptAdapter } from '../transcripts/adapter.ts';

const RESCAN = 5 * 60_000; // ms; for events that a full kernel queue never delivered
const FALLBACK_POLL = 10_000; // ms; where there are no events at all
const APPEARS = 2_000; // ms; a folder appears when its agent first runs, which is when people look

interface Told {
  changed(root: WatchedRoot, paths: string[]): void;
  gone(root: WatchedRoot, paths: string[]): void;
  problem(message: string): void;
}

/** One folder of an agent: told of its changes where the system tells them, looked through now and then in any case. */
export class WatchedRoot {
  readonly adapter: TranscriptAdapter;
  readonly folder: string;
  readonly #told: Told;
  /** How often it is looked through though events come; 0 for seldom. */
  readonly #pollMs: number;
  #subscription: watcher.AsyncSubscription | null = null;
  #deaf = false;
  #scannedAt = -Infinity;
  present = false;

  constructor(adapter: TranscriptAdapter, folder: string, pollMs: number, told: Told) {
    this.adapter = adapter;
    this.folder = folder;
    this.#pollMs = pollMs;
    this.#told = told;
  }

  /** Folders below it that hold nothing to read. */
  get ignored(): string[] {
    return (this.adapter.ignored ?? []).map((folder) => join(this.folder, folder));
  }

  matches(path: string): boolean {
    return this.adapter.matches(relative(this.folder, path));
  }

  /** Whether a path that somebody else names is one of its transcripts. */
  holds(path: string): boolean {
    return path.startsWith(this.folder + sep) && this.matches(path);
  }

  /** Follows the folder as it comes and goes. True when it has to be looked through now. */
  async check(now: number): Promise<boolean> {
    const present = existsSync(this.folder);
    if (!present && this.present) await this.close();
    if (present && !this.present) await this.#listen();
    this.present = present;
    if (!present || now - this.#scannedAt < this.#interval) return false;
    this.#scannedAt = now;
    return true;
  }

  /** When to check again. */
  nextCheck(now: number): number {
    return this.present ? Math.max(0, this.#scannedAt + this.#interval - now) : APPEARS;
  }

  async close(): Promise<void> {
    const subscription = this.#subscription;
    this.#subscription = null;
    this.#scannedAt = -Infinity;
    await subscription?.unsubscribe();
  }

  get #interval(): number {
    return this.#pollMs || (this.#deaf ? FALLBACK_POLL : RESCAN);
  }

  async #listen(): Promise<void> {
    this.#deaf = false;
    try {
      this.#subscription = await watcher.subscribe(
        this.folder,
        (error, events) => {
          if (error) this.#mishears(error);
          const paths = (deleted: boolean) =>
            events.filter(({ type }) => (type === 'delete') === deleted).map(({ path }) => path);
          this.#told.gone(this, paths(true));
          this.#told.changed(this, paths(false));
        },
        { ...WATCH_BACKEND, ignore: [...this.ignored] },
      );
    } catch (error) {
      this.#deaf = true;
      this.#told.problem(
        `${this.folder} gives no events (${String(error)}); it is looked through every ${(this.#pollMs || FALLBACK_POLL) / 1_000} s instead`,
      );
    }
  }

  /** Events were lost: whatever they told is found by looking. */
  #mishears(error: Error): void {
    this.#scannedAt = -Infinity;
    this.#told.problem(`watching ${this.folder}: ${error.message}`);
  }
}
