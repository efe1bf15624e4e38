import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type TreeWatch, watchTree } from '../platform/watch-tree.ts';
import type { TranscriptAdapter } from '../transcripts/adapter.ts';

const RESCAN = 5 * 60_000; // ms; for events that a full kernel queue never delivered
const FALLBACK_POLL = 10_000; // ms; where there are no events at all
const APPEARS = 2_000; // ms; a folder appears when its agent first runs, which is when people look

interface RootListeners {
  changed(root: WatchedRoot, paths: string[]): void;
  gone(root: WatchedRoot, paths: string[]): void;
  /** Events were lost or the folder vanished: `check` has to run again. */
  lost(): void;
  problem(message: string): void;
}

/** One folder of an agent: watched where the system can watch it, and scanned now and then in any case. */
export class WatchedRoot {
  readonly adapter: TranscriptAdapter;
  readonly folder: string;
  readonly #listeners: RootListeners;
  /** How often it is scanned although events come; 0 for seldom. */
  readonly #pollMs: number;
  #watch: TreeWatch | null = null;
  #unwatchable = false;
  #scannedAt = -Infinity;
  present = false;

  constructor(adapter: TranscriptAdapter, folder: string, pollMs: number, listeners: RootListeners) {
    this.adapter = adapter;
    this.folder = folder;
    this.#pollMs = pollMs;
    this.#listeners = listeners;
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

  /** Follows the folder as it comes and goes. True when it has to be scanned now. */
  async check(now: number): Promise<boolean> {
    const present = existsSync(this.folder);
    if (!present && this.present) this.close();
    if (present && !this.#watch && !(this.present && this.#unwatchable)) await this.#start();
    this.present = present;
    if (!present || now - this.#scannedAt < this.#interval) return false;
    this.#scannedAt = now;
    return true;
  }

  /** When to check again. */
  nextCheck(now: number): number {
    return this.present ? Math.max(0, this.#scannedAt + this.#interval - now) : APPEARS;
  }

  close(): void {
    this.#watch?.close();
    this.#watch = null;
    this.#scannedAt = -Infinity;
  }

  get #interval(): number {
    return this.#pollMs || (this.#unwatchable ? FALLBACK_POLL : RESCAN);
  }

  async #start(): Promise<void> {
    this.#unwatchable = false;
    try {
      this.#watch = await watchTree(this.folder, this.ignored, {
        changed: (paths) => this.#listeners.changed(this, paths),
        gone: (paths) => this.#listeners.gone(this, paths),
        ended: (error) => this.#ended(error),
      });
    } catch (error) {
      this.#unwatchable = true;
      const seconds = (this.#pollMs || FALLBACK_POLL) / 1_000;
      this.#listeners.problem(
        `${this.folder} cannot be watched (${String(error)}); it is scanned every ${seconds} s instead`,
      );
    }
  }

  /** A scan finds what the lost events would have reported. */
  #ended(error: Error): void {
    this.#watch = null;
    this.#scannedAt = -Infinity;
    if (existsSync(this.folder)) this.#listeners.problem(`watching ${this.folder}: ${error.message}`);
    this.#listeners.lost();
  }
}
