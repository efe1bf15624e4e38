import type { Stats } from 'node:fs';
import { resolve } from 'node:path';
import type { UserResolve } from '../ports/knob.ts';
import type { TranscriptAdapter } from '../transcripts/adapter.ts';
import { AGENTS } from '../transcripts/agents.ts';
import { configuredFolders } from '../transcripts/folders.ts';
import type { ReadPosition } from '../platform/read-position.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import { IgnoreRules } from '../platform/ignore.ts';
import { Lru } from '../platform/lru.ts';
import { fileStat, UnreadableFile } from '../platform/read-file.ts';
import { clean } from './clean.ts';
import type { QuietFile } from './idle-sweep.ts';
import { WATCH_KNOBS } from './knobs.ts';
import type { CaptureStart, FromCapture, ReadRequest } from './protocol.ts';
import { QuietSessions } from './quiet-sessions.ts';
import { ReadQueue } from './read-queue.ts';
import { joinStretches, type Stretch, TranscriptReader } from './reader.ts';
import { CaptureReport } from './report.ts';
import { filesBelow } from './scan.ts';
import { WatchedRoot } from './watched-root.ts';

const SHORTEST_WAIT = 100; // ms
const AHEAD = 3; // batches read before the first is stored: neither thread waits for the other, and memory stays small
const READERS_KEPT = 200;

/**
 * The capture thread: watches, reads, notices and redacts. What it posts is clean, and it reads on once that is stored.
 * At rest it has no work but an hourly scan: it waits for changes, and for sessions that are about to go quiet.
 */
export class CaptureThread {
  readonly #post: (message: FromCapture) => void;
  readonly #roots: WatchedRoot[];
  readonly #ignored: IgnoreRules;
  readonly #readSince: CaptureStart['readSince'];
  readonly #resolve: UserResolve;
  readonly #readers = new Lru<string, TranscriptReader>(READERS_KEPT);
  readonly #queue = new ReadQueue();
  readonly #positions: Map<string, ReadPosition>;
  /** Every transcript that exists, and when it last changed. */
  readonly #files = new Map<string, { root: WatchedRoot; mtimeMs: number }>();
  readonly #report: CaptureReport;
  /** Read requests of hooks, by path, until they are answered. */
  readonly #readRequests = new Map<string, ReadRequest>();
  readonly #quietSessions: QuietSessions;
  #scans = 0;
  #paused = false;
  /** Batches posted and not yet stored. */
  #unstored = 0;
  readonly #watching = new BackgroundTask({
    work: (signal) => this.#followUp(signal),
    next: () => this.#nextFollowUp(),
    onError: (error) =>
      this.#post({ type: 'problem', message: `searching for transcripts: ${String(error)}` }),
  });

  constructor(start: CaptureStart, post: (message: FromCapture) => void) {
    this.#post = post;
    this.#report = new CaptureReport(post);
    this.#positions = new Map(start.positions.map((position) => [position.path, position]));
    // The daemon sends every knob as it stands, so the thread needs no settings of its own.
    this.#resolve = (knob) => (start.knobs[knob.name] ?? knob.default) as typeof knob.default;
    this.#quietSessions = new QuietSessions(start.swept, this.#resolve);
    const listeners = {
      changed: (root: WatchedRoot, paths: string[]) => this.#changed(root, paths),
      gone: (_root: WatchedRoot, paths: string[]) => paths.forEach((path) => this.#forget(path)),
      checkNeeded: () => this.watch(),
      problem: (message: string) => post({ type: 'problem', message }),
    };
    const pollMs = this.#resolve(WATCH_KNOBS.pollSeconds) * 1_000;
    this.#readSince = start.readSince;
    this.#ignored = new IgnoreRules(this.#resolve(WATCH_KNOBS.ignore));
    const mayRead = ({ agent }: TranscriptAdapter) => !this.#ignored.agents.has(agent);
    const named = configuredFolders(this.#resolve(WATCH_KNOBS.folders), AGENTS, mayRead);
    const read = [...named, ...AGENTS].filter(mayRead);
    this.#roots = read.flatMap((adapter) =>
      adapter
        .roots(start.home, start.environment)
        .map((folder) => new WatchedRoot(adapter, folder, pollMs, listeners)),
    );
  }

  watch(): void {
    this.#watching.wake();
  }

  /** Does what is due: folders that appeared, folders to scan again, sessions that have gone quiet. */
  async #followUp(signal: AbortSignal): Promise<void> {
    const now = Date.now();
    const due: WatchedRoot[] = [];
    for (const root of this.#roots) {
      if (await root.check(now)) due.push(root);
      if (signal.aborted) return;
    }
    this.#report.folders(this.#roots);
    // All files are known before the oldest of one folder is read ahead of the newest of another.
    await Promise.all(due.map((root) => this.#scan(root)));
    this.#quietSessions.find(this.#readFiles(), Date.now());
    this.next();
  }

  /** Milliseconds until the next follow-up. */
  #nextFollowUp(): number {
    const now = Date.now();
    const sweep = this.#paused ? Infinity : this.#quietSessions.untilNextSweep(this.#readFiles(), now);
    return Math.max(SHORTEST_WAIT, Math.min(sweep, ...this.#roots.map((root) => root.nextCheck(now))));
  }

  /** Scans a root, or a linked folder below it, whose files send no events. */
  async #scan(root: WatchedRoot, folder = root.folder): Promise<void> {
    this.#scans++;
    const search = {
      watched: root.folder,
      wanted: (path: string) => root.matches(path),
      ignored: root.ignored,
      onLink: () => root.scanSoon(Date.now()),
      onProblem: (folder: string, error: unknown) => this.#report.unreadable(folder, error),
      signal: this.#watching.signal,
    };
    try {
      for await (const { path, stat } of filesBelow(folder, search)) {
        this.#found(root, path, stat, folder !== root.folder);
      }
    } finally {
      this.#scans--;
    }
  }

  #scanBelow(root: WatchedRoot, folder: string): void {
    this.#scan(root, folder)
      .catch((error: unknown) => this.#report.unreadable(folder, error))
      .finally(() => this.next());
  }

  #changed(root: WatchedRoot, paths: string[]): void {
    for (const path of new Set(paths.map((changed) => root.adapter.mainFile?.(changed) ?? changed))) {
      const stat = fileStat(path);
      if (stat?.isDirectory() && !root.contains(path)) this.#scanBelow(root, path);
      else if (stat?.isFile() && root.matches(path)) this.#found(root, path, stat, true);
    }
    root.scanSoon(Date.now());
    this.#watching.wake(root.nextCheck(Date.now()));
    this.next();
  }

  #found(root: WatchedRoot, path: string, { size, mtimeMs }: Stats, live: boolean): void {
    this.#files.set(path, { root, mtimeMs });
    const known = this.#positions.get(path);
    // The size of one file says nothing about a transcript in several; its reader knows.
    const isRead = known?.size === size && known.position === size && !root.adapter.mainFile;
    if (!live && isRead) return;
    const bytes = Math.max(0, size - (known?.position ?? 0));
    this.#queue.add(path, { mtimeMs, bytes }, live);
    this.#report.found(path, bytes);
  }

  /** The file was deleted or moved away. Its position is kept in case it comes back. */
  #forget(path: string): void {
    this.#files.delete(path);
    this.#readers.delete(path);
    this.#finish(path);
    this.#answerRequest(path);
  }

  /** A hook reports that this transcript has grown: it is read before all others. */
  readNow(request: ReadRequest): void {
    const requested = resolve(request.path);
    const root = this.#roots.find((each) => each.holds(requested));
    const path = root?.adapter.mainFile?.(requested) ?? requested;
    if (!root || !fileStat(path)?.isFile()) return this.#post({ type: 'request-done', path: request.path });
    this.#readRequests.set(path, { ...this.#readRequests.get(path), ...request });
    this.#changed(root, [path]);
  }

  /** Answers the request for this path, if there is one: the file has been read to its end. */
  #answerRequest(path: string): void {
    const request = this.#readRequests.get(path);
    if (!request) return;
    this.#readRequests.delete(path);
    if (request.asksFor !== undefined)
      this.#attempt(path, (reader) => reader.hearRequest(request.asksFor ?? '', Date.now()));
    if (request.ended && this.#quietSessions.isOn) this.#readRest(path);
    else if (request.turnEnded) this.#endTurn(path);
    this.#post({ type: 'request-done', path: request.path });
  }

  /** The files that have been read to their end. */
  #readFiles(): QuietFile[] {
    return [...this.#files]
      .filter(([path]) => this.#positions.has(path) && !this.#queue.get(path))
      .map(([path, { mtimeMs }]) => ({ path, mtimeMs }));
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#reportProgress();
    if (!paused) this.#watching.wake(); // sessions may have gone quiet meanwhile
    this.next();
  }

  /** The daemon has stored a batch. */
  stored(): void {
    this.#unstored--;
    this.next();
  }

  next(): void {
    if (this.#paused || this.#watching.signal.aborted) return;
    while (this.#unstored < AHEAD) {
      const path = this.#queue.next(this.#scans > 0);
      const quiet = path === undefined ? this.#quietSessions.next() : undefined;
      if (path !== undefined) this.#readOn(path);
      else if (quiet !== undefined) this.#readRest(quiet);
      else break;
    }
    this.#reportProgress();
  }

  #readOn(path: string): void {
    const stretch = this.#attempt(path, (reader) => reader.read());
    const before = this.#positions.get(path);
    if (!stretch || stretch.caughtUp) this.#finish(path);
    if (!stretch) return this.#answerRequest(path);
    this.#report.read(
      stretch.position.agent,
      Math.max(0, stretch.position.position - (before?.position ?? 0)),
    );
    this.#positions.set(path, stretch.position);
    const mtimeMs = this.#files.get(path)?.mtimeMs ?? Date.now();
    const untilQuiet = this.#quietSessions.untilQuiet(mtimeMs, Date.now());
    // An old session is over: it went quiet before it was read.
    const isOver = stretch.caughtUp && untilQuiet <= 0;
    const rest = isOver ? this.#attempt(path, (reader) => reader.rest()) : null;
    if (stretch.caughtUp && !isOver) this.#watching.wake(untilQuiet);
    this.#postBatch(rest ? joinStretches(stretch, rest) : stretch, rest ? mtimeMs : null);
    if (stretch.caughtUp) this.#answerRequest(path);
    if (isOver) this.#readers.delete(path);
  }

  #readRest(path: string): void {
    const file = this.#files.get(path);
    const stat = fileStat(path);
    if (!file) return;
    if (!stat) return this.#forget(path);
    if (stat.mtimeMs !== file.mtimeMs) return this.#found(file.root, path, stat, true);
    const stretch = this.#attempt(path, (reader) => reader.rest());
    if (stretch) this.#postBatch(stretch, file.mtimeMs);
    this.#readers.delete(path); // should the session go on after all, its last words are read again
  }

  #endTurn(path: string): void {
    const stretch = this.#attempt(path, (reader) => reader.turnEnded());
    if (stretch) this.#postBatch(stretch, null);
  }

  #postBatch(stretch: Stretch, sweptMtime: number | null): void {
    this.#unstored++;
    if (sweptMtime !== null) this.#quietSessions.markSwept(stretch.position.path, sweptMtime);
    const since = this.#readSince[stretch.position.agent] ?? 0;
    const batch = clean(stretch, sweptMtime, ({ cwd, at }) => at >= since && !this.#ignored.hasFolder(cwd));
    this.#post({ type: 'batch', batch });
  }

  #attempt<T>(path: string, work: (reader: TranscriptReader) => T): T | null {
    try {
      const stretch = work(this.#reader(path));
      this.#report.readable(path);
      return stretch;
    } catch (error) {
      // Deleted or locked between the event and the read: the next event or scan brings it back.
      this.#readers.delete(path);
      if (!(error instanceof UnreadableFile && error.isMissing)) this.#report.unreadable(path, error);
      return null;
    }
  }

  #reader(path: string): TranscriptReader {
    const known = this.#readers.get(path);
    if (known) return known;
    const adapter = this.#files.get(path)?.root.adapterOf(path);
    if (!adapter) throw new Error('it does not belong to an agent');
    const reader = new TranscriptReader(adapter, path, this.#positions.get(path) ?? null, this.#resolve);
    this.#readers.set(path, reader);
    return reader;
  }

  #finish(path: string): void {
    this.#queue.delete(path);
    this.#report.done(path);
  }

  #reportProgress(): void {
    this.#report.progress(this.#queue.size > 0, this.#paused, Date.now());
  }

  async stop(): Promise<void> {
    await this.#watching.stop();
    for (const root of this.#roots) root.close();
  }
}
