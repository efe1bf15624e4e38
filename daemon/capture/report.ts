import { ProgressCount } from './progress.ts';
import type { FromCapture } from './protocol.ts';
import type { WatchedRoot } from './watched-root.ts';

const PROGRESS_EVERY = 250; // ms

/** The capture thread's reports to the daemon: progress, folders found, and each problem once. */
export class CaptureReport extends ProgressCount {
  readonly #post: (message: FromCapture) => void;
  readonly #troubled = new Set<string>();
  #postedAt = -Infinity;
  #folders = '';

  constructor(post: (message: FromCapture) => void) {
    super();
    this.#post = post;
  }

  /** Reports a problem with a file once, until the file can be read again. */
  unreadable(path: string, error: unknown): void {
    if (this.#troubled.has(path)) return;
    this.#troubled.add(path);
    this.#post({ type: 'problem', message: `reading ${path}: ${String(error)}` });
  }

  readable(path: string): void {
    this.#troubled.delete(path);
  }

  folders(roots: readonly WatchedRoot[]): void {
    const found = roots.map(({ present }) => present).join();
    if (found === this.#folders) return;
    this.#folders = found;
    this.#post({
      type: 'folders',
      folders: roots.map(({ adapter, folder, present }) => ({ agent: adapter.agent, folder, present })),
    });
  }

  progress(waiting: boolean, paused: boolean, now: number): void {
    this.setBusy(waiting && !paused, now);
    if (waiting && now - this.#postedAt < PROGRESS_EVERY) return;
    this.#postedAt = now;
    this.#post({ type: 'progress', progress: this.at(now) });
  }
}
