import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { resolveAll, type Resolve } from '../ports/knob.ts';
import { AGENTS } from '../transcripts/agents.ts';
import { configuredFolders } from '../transcripts/folders.ts';
import type { ReadPosition } from '../platform/read-position.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import { clean } from './clean.ts';
import { dueForSweep, idleSweep } from './idle-sweep.ts';
import { WATCH_KNOBS } from './knobs.ts';
import { ProgressCount } from './progress.ts';
import type { CaptureStart, FromCapture, ReadRequest, ToCapture } from './protocol.ts';
import { ReadQueue } from './read-queue.ts';
import { type Stretch, TranscriptReader } from './reader.ts';
import { filesBelow } from './scan.ts';
import { WatchedRoot } from './watched-root.ts';

const SWEEP_EVERY = 60_000; // ms
const PROGRESS_EVERY = 250; // ms
const AHEAD = 3; // batches read before the first of them is stored: neither thread waits for the other, and memory stays small
const READERS_KEPT = 200;

/** The capture thread: watches, reads, notices and redacts. What it posts is clean, and it reads on once that is stored. */
class CaptureThread {
  readonly #post: (message: FromCapture) => void;
  readonly #roots: WatchedRoot[];
  readonly #resolve: Resolve;
  readonly #readers = new Map<string, TranscriptReader>();
  readonly #queue = new ReadQueue();
  readonly #positions: Map<string, ReadPosition>;
  readonly #swept: Map<string, number>;
  /** Every transcript there is and when it last changed. */
  readonly #files = new Map<string, { root: WatchedRoot; mtimeMs: number }>();
  readonly #progress = new ProgressCount();
  readonly #troubled = new Set<string>();
  /** What hooks asked for, by path, until it is read. */
  readonly #readRequests = new Map<string, ReadRequest>();
  readonly #sweep;
  #quiet: string[] = [];
  #sweptAt = -Infinity;
  #toldAt = -Infinity;
  #toldFolders = '';
  #scans = 0;
  #paused = false;
  /** Batches handed over and not yet stored. */
  #underway = 0;
  readonly #watching = new BackgroundTask({
    work: (signal) => this.#followUp(signal),
    next: () => this.#nextFollowUp(),
    onError: (error) => this.#post({ type: 'problem', message: `looking for transcripts: ${String(error)}` }),
  });

  constructor(start: CaptureStart, post: (message: FromCapture) => void) {
    this.#post = post;
    this.#positions = new Map(start.positions.map((position) => [position.path, position]));
    this.#swept = new Map(Object.entries(start.swept));
    // The daemon sends every knob as it stands, so the thread needs no settings of its own.
    this.#resolve = (knob) => (start.knobs[knob.name] ?? knob.default) as typeof knob.default;
    this.#sweep = this.#resolve(idleSweep.switch) ? resolveAll(idleSweep.knobs, this.#resolve) : null;
    const listeners = {
      changed: (root: WatchedRoot, paths: string[]) => this.#changed(root, paths),
      gone: (_root: WatchedRoot, paths: string[]) => paths.forEach((path) => this.#forget(path)),
      lost: () => this.watch(),
      problem: (message: string) => post({ type: 'problem', message }),
    };
    const pollMs = this.#resolve(WATCH_KNOBS.pollSeconds) * 1_000;
    const adapters = [...configuredFolders(this.#resolve(WATCH_KNOBS.folders), AGENTS), ...AGENTS];
    this.#roots = adapters.flatMap((adapter) =>
      adapter
        .roots(start.home, start.environment)
        .map((folder) => new WatchedRoot(adapter, folder, pollMs, listeners)),
    );
  }

  watch(): void {
    this.#watching.wake();
  }

  /** Follows up what is due: folders that appeared, folders to scan again, sessions gone quiet. */
  async #followUp(signal: AbortSignal): Promise<void> {
    const now = Date.now();
    const due: WatchedRoot[] = [];
    for (const root of this.#roots) {
      if (await root.check(now)) due.push(root);
      if (signal.aborted) return;
    }
    this.#tellFolders();
    // All of them are known before the oldest of one is read ahead of the newest of another.
    await Promise.all(due.map((root) => this.#scan(root)));
    this.#findQuiet(Date.now());
    this.next();
  }

  #nextFollowUp(): number {
    const wait = Math.min(
      SWEEP_EVERY,
      (this.#sweep?.idleSeconds ?? Infinity) * 1_000,
      ...this.#roots.map((root) => root.nextCheck(Date.now())),
    );
    return Math.max(100, wait);
  }

  /** Scans a root, or a folder below it that a link leads to: what is inside has no events of its own. */
  async #scan(root: WatchedRoot, folder = root.folder): Promise<void> {
    this.#scans++;
    const search = {
      wanted: (path: string) => root.matches(path),
      ignored: root.ignored,
      onProblem: (folder: string, error: unknown) => this.#problem(folder, error),
    };
    for await (const { path, stat } of filesBelow(folder, search)) {
      if (this.#watching.signal.aborted) break;
      this.#found(root, path, stat, folder !== root.folder);
    }
    this.#scans--;
  }

  #changed(root: WatchedRoot, paths: string[]): void {
    for (const path of new Set(paths.map((changed) => root.adapter.mainFile?.(changed) ?? changed))) {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat?.isDirectory() && path !== root.folder) void this.#scan(root, path).then(() => this.next());
      else if (stat?.isFile() && root.matches(path)) this.#found(root, path, stat, true);
    }
    this.next();
  }

  #found(root: WatchedRoot, path: string, { size, mtimeMs }: Stats, live: boolean): void {
    this.#files.set(path, { root, mtimeMs });
    const known = this.#positions.get(path);
    // Of a transcript in several files the size of one tells nothing; its reader knows.
    const isRead = known?.size === size && known.position === size && !root.adapter.mainFile;
    if (!live && isRead) return;
    const bytes = Math.max(0, size - (known?.position ?? 0));
    this.#queue.add(path, { adapter: root.adapter, mtimeMs, bytes }, live);
    this.#progress.found(path, bytes);
  }

  /** Deleted or moved away: what was read of it stays known, should it come back. */
  #forget(path: string): void {
    this.#files.delete(path);
    this.#readers.delete(path);
    this.#finish(path);
    this.#answerRequest(path);
  }

  /** A hook says that this transcript has grown: it goes before all others. */
  readNow(request: ReadRequest): void {
    const named = resolve(request.path);
    const root = this.#roots.find((each) => each.holds(named));
    const path = root?.adapter.mainFile?.(named) ?? named;
    if (!root || !statSync(path, { throwIfNoEntry: false })?.isFile())
      return this.#post({ type: 'request-done', path: request.path });
    this.#readRequests.set(path, { ...this.#readRequests.get(path), ...request });
    this.#changed(root, [path]);
  }

  /** All that is in it has been read. */
  #answerRequest(path: string): void {
    const request = this.#readRequests.get(path);
    if (!request) return;
    this.#readRequests.delete(path);
    if (request.asksFor !== undefined)
      this.#attempt(path, (reader) => reader.hearRequest(request.asksFor ?? '', Date.now()));
    if (request.ended && this.#sweep) this.#readRest(path);
    this.#post({ type: 'request-done', path: request.path });
  }

  #findQuiet(now: number): void {
    if (!this.#sweep || now - this.#sweptAt < Math.min(SWEEP_EVERY, this.#sweep.idleSeconds * 1_000)) return;
    this.#sweptAt = now;
    const read = [...this.#files]
      .filter(([path]) => this.#positions.has(path) && !this.#queue.get(path))
      .map(([path, { mtimeMs }]) => ({ path, mtimeMs }));
    this.#quiet = dueForSweep(read, this.#swept, now, this.#sweep).map(({ path }) => path);
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#tellProgress();
    this.next();
  }

  /** The daemon has stored a batch. */
  stored(): void {
    this.#underway--;
    this.next();
  }

  next(): void {
    if (this.#paused || this.#watching.signal.aborted) return;
    while (this.#underway < AHEAD) {
      const path = this.#queue.next(this.#scans > 0);
      if (path !== undefined) this.#readOn(path);
      else if (this.#quiet.length > 0) this.#readRest(this.#quiet.shift() ?? '');
      else break;
    }
    this.#tellProgress();
  }

  #readOn(path: string): void {
    const stretch = this.#attempt(path, (reader) => reader.read());
    const before = this.#positions.get(path);
    if (!stretch || stretch.caughtUp) this.#finish(path);
    if (!stretch) return this.#answerRequest(path);
    this.#progress.read(
      stretch.position.agent,
      Math.max(0, stretch.position.position - (before?.position ?? 0)),
    );
    this.#positions.set(path, stretch.position);
    const mtimeMs = this.#files.get(path)?.mtimeMs ?? Date.now();
    // An old session is over: it has been quiet since before it was read.
    const over =
      stretch.caughtUp && this.#sweep !== null && Date.now() - mtimeMs >= this.#sweep.idleSeconds * 1_000;
    const quiet = over ? this.#attempt(path, (reader) => reader.rest()) : null;
    this.#hand(quiet ? together(stretch, quiet) : stretch, quiet ? mtimeMs : null);
    if (stretch.caughtUp) this.#answerRequest(path);
  }

  #readRest(path: string): void {
    const file = this.#files.get(path);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!file || !stat) return;
    if (stat.mtimeMs !== file.mtimeMs) return this.#found(file.root, path, stat, true);
    const stretch = this.#attempt(path, (reader) => reader.rest());
    if (stretch) this.#hand(stretch, file.mtimeMs);
  }

  #hand(stretch: Stretch, sweptMtime: number | null): void {
    this.#underway++;
    if (sweptMtime !== null) this.#swept.set(stretch.position.path, Math.floor(sweptMtime));
    this.#post({ type: 'batch', batch: clean(stretch, sweptMtime) });
  }

  #attempt<T>(path: string, work: (reader: TranscriptReader) => T): T | null {
    try {
      const stretch = work(this.#reader(path));
      this.#troubled.delete(path);
      return stretch;
    } catch (error) {
      // Deleted or locked between the event and the read: the next event or scan brings it back.
      this.#readers.delete(path);
      this.#problem(path, error);
      return null;
    }
  }

  #reader(path: string): TranscriptReader {
    const known = this.#readers.get(path);
    if (known) return known;
    const adapter = this.#files.get(path)?.root.adapter;
    if (!adapter) throw new Error('it belongs to no agent');
    const reader = new TranscriptReader(adapter, path, this.#positions.get(path) ?? null, this.#resolve);
    if (this.#readers.size >= READERS_KEPT) this.#readers.delete(this.#readers.keys().next().value ?? '');
    this.#readers.set(path, reader);
    return reader;
  }

  #finish(path: string): void {
    this.#queue.delete(path);
    this.#progress.done(path);
  }

  /** Once, until it can be read again. */
  #problem(path: string, error: unknown): void {
    if (this.#troubled.has(path)) return;
    this.#troubled.add(path);
    this.#post({ type: 'problem', message: `reading ${path}: ${String(error)}` });
  }

  #tellFolders(): void {
    const found = this.#roots.map(({ present }) => present).join();
    if (found === this.#toldFolders) return;
    this.#toldFolders = found;
    this.#post({
      type: 'folders',
      folders: this.#roots.map(({ adapter, folder, present }) => ({ agent: adapter.agent, folder, present })),
    });
  }

  #tellProgress(): void {
    const now = Date.now();
    const waiting = this.#queue.size;
    this.#progress.setBusy(waiting > 0 && !this.#paused, now);
    if (waiting > 0 && now - this.#toldAt < PROGRESS_EVERY) return;
    this.#toldAt = now;
    this.#post({ type: 'progress', progress: this.#progress.at(now) });
  }

  async stop(): Promise<void> {
    await this.#watching.stop();
    for (const root of this.#roots) root.close();
  }
}

function together(read: Stretch, rest: Stretch): Stretch {
  return {
    ...read,
    moments: [...read.moments, ...rest.moments],
    continuations: [...read.continuations, ...rest.continuations],
    effects: [...read.effects, ...rest.effects],
    voided: [...read.voided, ...rest.voided],
  };
}

function run(port: NonNullable<typeof parentPort>): void {
  let thread: CaptureThread | null = null;
  port.on('message', (message: ToCapture) => {
    switch (message.type) {
      case 'start':
        thread = new CaptureThread(message.start, (outgoing) => port.postMessage(outgoing));
        thread.watch();
        break;
      case 'stored':
        thread?.stored();
        break;
      case 'read':
        thread?.readNow(message.request);
        break;
      case 'pause':
        thread?.setPaused(true);
        break;
      case 'resume':
        thread?.setPaused(false);
        break;
      case 'stop':
        void Promise.resolve(thread?.stop()).then(() => port.close());
    }
  });
}

if (parentPort) run(parentPort);
