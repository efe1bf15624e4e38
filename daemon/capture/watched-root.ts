import { existsSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { awaitFolder, type TreeWatch, watchTree } from '../platform/watch-tree.ts';
import type { TranscriptAdapter } from '../transcripts/adapter.ts';

const FALLBACK_POLL = 10_000; // ms; where the system reports nothing
const SOON = 5 * 60_000; // ms
const RESCAN = 3_600_000; // ms; at rest, in case the system reported less than it should

interface RootListeners {
  changed(root: WatchedRoot, paths: string[]): void;
  gone(root: WatchedRoot, paths: string[]): void;
  /** The folder appeared or vanished, or events were lost: `check` has to run. */
  checkNeeded(): void;
  problem(message: string): void;
}

/** One folder of an agent, watched while it exists and awaited while it does not; both without polling. */
export class WatchedRoot {
  readonly adapter: TranscriptAdapter;
  readonly folder: string;
  readonly #listeners: RootListeners;
  /** How often the user wants it scanned although events come, in milliseconds; 0 leaves that to the system. */
  readonly #pollMs: number;
  /** Reports what happens below the folder or, while it does not exist, that it appears. */
  #watch: TreeWatch | null = null;
  #isUnwatchable = false;
  #checkedAt = -Infinity;
  #scannedAt = -Infinity;
  /** When a scan is due earlier than the hourly one. */
  #scanSoonAt = Infinity;
  present = false;

  constructor(adapter: TranscriptAdapter, folder: string, pollMs: number, listeners: RootListeners) {
    this.adapter = adapter;
    this.folder = folder;
    this.#pollMs = pollMs;
    this.#listeners = listeners;
  }

  /** Folders below it that contain no transcripts. */
  get ignored(): string[] {
    return (this.adapter.ignored ?? []).map((folder) => join(this.folder, folder));
  }

  matches(path: string): boolean {
    return this.adapterOf(path) !== null;
  }

  /** Who reads this file; null for one that is no transcript, or must not be read. */
  adapterOf(path: string): TranscriptAdapter | null {
    if (!this.adapter.matches(relative(this.folder, path))) return null;
    return this.adapter.forFile ? this.adapter.forFile(path) : this.adapter;
  }

  /** True for a path that a hook names when it is a transcript of this folder. */
  holds(path: string): boolean {
    return path.startsWith(this.folder + sep) && this.matches(path);
  }

  /** True for a linked folder whose files are found without the link, too. */
  contains(link: string): boolean {
    try {
      const [target, own] = [realpathSync(link), realpathSync(this.folder)];
      return target === own || target.startsWith(own + sep);
    } catch {
      return true; // gone by now
    }
  }

  /** Some events may be missing: of folders behind links there are none, and a full kernel queue drops some. */
  scanSoon(now: number): void {
    this.#scanSoonAt = Math.min(this.#scanSoonAt, now + SOON);
  }

  /** Watches or awaits the folder, as needed. True when it has to be scanned now. */
  async check(now: number): Promise<boolean> {
    const present = existsSync(this.folder);
    if (present !== this.present) this.close();
    if (present && !this.#watch && !(this.present && this.#isUnwatchable)) await this.#watchFolder();
    if (!present && !this.#watch) this.#awaitFolder();
    this.present = present;
    this.#checkedAt = now;
    if (!present || now < this.#scanAt) return false;
    this.#scannedAt = now;
    this.#scanSoonAt = Infinity;
    return true;
  }

  /** Milliseconds until the next check is due. */
  nextCheck(now: number): number {
    return Math.max(0, (this.present ? this.#scanAt : this.#checkedAt + this.#interval) - now);
  }

  close(): void {
    this.#watch?.close();
    this.#watch = null;
    this.#scannedAt = -Infinity;
  }

  get #interval(): number {
    return this.#pollMs || (this.#isUnwatchable ? FALLBACK_POLL : RESCAN);
  }

  get #scanAt(): number {
    return Math.min(this.#scannedAt + this.#interval, this.#scanSoonAt);
  }

  async #watchFolder(): Promise<void> {
    this.#isUnwatchable = false;
    try {
      this.#watch = await watchTree(this.folder, this.ignored, {
        changed: (paths) => this.#listeners.changed(this, paths),
        gone: (paths) => this.#listeners.gone(this, paths),
        ended: (error) => this.#ended(error),
      });
    } catch (error) {
      this.#isUnwatchable = true;
      const seconds = (this.#pollMs || FALLBACK_POLL) / 1_000;
      this.#listeners.problem(
        `${this.folder} cannot be watched (${String(error)}); it is scanned every ${seconds} s instead`,
      );
    }
  }

  #awaitFolder(): void {
    try {
      this.#watch = awaitFolder(this.folder, () => {
        this.close();
        this.#listeners.checkNeeded();
      });
      this.#isUnwatchable = false;
    } catch {
      this.#isUnwatchable = true; // not worth a message: most people do not have most agents
    }
  }

  /** A scan finds what the lost events would have reported. */
  #ended(error: Error): void {
    this.#watch = null;
    this.#scannedAt = -Infinity;
    if (existsSync(this.folder)) this.#listeners.problem(`watching ${this.folder}: ${error.message}`);
    this.#listeners.checkNeeded();
  }
}
