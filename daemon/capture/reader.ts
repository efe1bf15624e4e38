import { closeSync, fstatSync, statSync } from 'node:fs';
import type { UserResolve } from '../ports/knob.ts';
import type {
  Line,
  ParsedLine,
  Parser,
  TranscriptAdapter,
  TranscriptEvent,
  Unpacked,
} from '../transcripts/adapter.ts';
import { Lru } from '../platform/lru.ts';
import { openToRead } from '../platform/read-file.ts';
import type { ReadCounts, ReadPosition } from '../platform/read-position.ts';
import { fingerprint, readLines, sameFile } from '../transcripts/tail.ts';
import { type Captured, emptyCapture } from './captured.ts';
import { SessionCapture } from './pipeline.ts';

export interface Stretch extends Captured {
  position: ReadPosition;
  counts: ReadCounts;
  caughtUp: boolean;
}

type Found = Omit<Stretch, 'position' | 'caughtUp'>;

const CHUNK = 256 * 1024; // bytes read and handed over at a time, small enough that storing them is not felt
const WARM_UP = 256 * 1024; // bytes read again after a restart, without making moments, to know the recent dialogue
const SESSIONS_KEPT = 100;

/** Reads one transcript from its last position, following its session. */
export class TranscriptReader {
  readonly #adapter: TranscriptAdapter;
  readonly #path: string;
  readonly #resolve: UserResolve;
  #known: ReadPosition | null;
  #parser: Parser;
  #warm = false;
  #sessions = new Lru<string, SessionCapture>(SESSIONS_KEPT);
  /** The read in progress of a file that is not plain lines. */
  #unpacking: { records: Iterator<Line & { known?: boolean }>; unpacked: Unpacked } | null = null;

  constructor(adapter: TranscriptAdapter, path: string, known: ReadPosition | null, resolve: UserResolve) {
    this.#adapter = adapter;
    this.#path = path;
    this.#known = known;
    this.#resolve = resolve;
    this.#parser = adapter.open(path);
  }

  /** The next stretch, or null when there is nothing new. */
  read(): Stretch | null {
    return this.#parser.unpack
      ? this.#readUnpacked()
      : this.#withFile((descriptor) => this.#readLines(descriptor));
  }

  /** The session has gone quiet: what its signals held back, unconfirmed. */
  rest(): Stretch | null {
    const known = this.#known;
    if (!known) return null;
    if (!this.#parser.unpack) this.#withFile((descriptor) => this.#warmUp(descriptor, known.position));
    const found = beginning();
    for (const session of this.#sessions.values()) add(found, session.rest());
    const moments = found.moments.map((moment) => ({ ...moment, speculative: true }));
    return { ...found, moments, position: known, caughtUp: true };
  }

  /** The agent has finished answering: what it said last is part of what was noticed. */
  turnEnded(): Stretch | null {
    const known = this.#known;
    if (!known) return null;
    const found = beginning();
    for (const session of this.#sessions.values()) add(found, session.turnEnded());
    return { ...found, position: known, caughtUp: true };
  }

  /** The agent asks for permission, which its transcript does not record: the next message answers that. */
  hearRequest(tool: string, at: number): void {
    const position = this.#known?.position ?? 0;
    const circumstances = {
      at,
      session: '',
      uuid: '',
      cwd: '',
      branch: null,
      span: { start: position, end: position },
      subagent: false,
    };
    for (const session of this.#sessions.values())
      session.feed({ ...circumstances, kind: 'permission', tool, granted: null });
  }

  #withFile<T>(use: (descriptor: number) => T): T {
    const descriptor = openToRead(this.#path);
    try {
      return use(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  #readLines(descriptor: number): Stretch | null {
    const { size } = fstatSync(descriptor);
    const from = this.#whereToBegin(descriptor, size);
    if (size === from && this.#known?.size === size) return null;
    const { lines, position, oversized } = readLines(descriptor, from, CHUNK);
    this.#warmUp(descriptor, from);
    const found = beginning();
    found.counts.badLines += oversized;
    for (const line of lines) this.#follow(line, found);
    const reached = this.#reached(fingerprint(descriptor, position), position, size);
    return { ...found, position: reached, caughtUp: position === from || position >= size };
  }

  /**
   * A file that shrank, begins differently or had its end replaced was rewritten: it is read again, and keys prevent
   * duplicates.
   */
  #whereToBegin(descriptor: number, size: number): number {
    if (
      this.#known &&
      size >= this.#known.position &&
      sameFile(descriptor, this.#known.fingerprint, this.#known.position)
    )
      return this.#known.position;
    if (this.#known) this.#parser = this.#adapter.open(this.#path);
    this.#known = null;
    this.#sessions.clear();
    return 0;
  }

  /** After a restart: the beginning of the file, for its header, and the stretch before, for what was said last. */
  #warmUp(descriptor: number, from: number): void {
    if (this.#warm) return;
    this.#warm = true;
    const start = Math.max(0, from - WARM_UP);
    if (start > 0)
      for (const line of readLines(descriptor, 0, Math.min(start, WARM_UP)).lines) this.#parse(line);
    if (start === from) return;
    const { lines } = readLines(descriptor, start, from - start);
    for (const line of start > 0 ? lines.slice(1) : lines) this.#remember(line);
  }

  /** The position is saved only when all is read, so that a restart continues from the last bookmark. */
  #readUnpacked(): Stretch | null {
    const before = this.#known?.fingerprint ?? '';
    const { records, unpacked } = (this.#unpacking ??= this.#unpack(before));
    const found = beginning();
    const finished = this.#take(records, found);
    if (finished) this.#unpacking = null;
    if (finished && found.counts.records === 0 && unpacked.bookmark === before) return null;
    const { size } = statSync(this.#path);
    return {
      ...found,
      position: this.#reached(finished ? unpacked.bookmark : before, finished ? size : 0, size),
      caughtUp: finished,
    };
  }

  #unpack(bookmark: string) {
    const unpacked = this.#parser.unpack?.(bookmark) ?? { records: [], bookmark };
    return { records: unpacked.records[Symbol.iterator](), unpacked };
  }

  /** Reads about a chunk of records; true when that was all. */
  #take(records: Iterator<Line & { known?: boolean }>, found: Found): boolean {
    try {
      for (let length = 0; length < CHUNK;) {
        const { value: record, done } = records.next();
        if (done) return true;
        if (record.known) this.#remember(record);
        else this.#follow(record, found);
        length += record.text.length;
      }
      return false;
    } catch (error) {
      this.#unpacking = null; // starts over next time; keys prevent duplicates
      throw error;
    }
  }

  #reached(bookmark: string, position: number, size: number): ReadPosition {
    this.#known = { agent: this.#adapter.agent, path: this.#path, fingerprint: bookmark, position, size };
    return this.#known;
  }

  #sessionOf(event: TranscriptEvent): SessionCapture {
    const name = this.#parser.manySessions ? event.session : '';
    const session = this.#sessions.get(name) ?? new SessionCapture(this.#resolve);
    this.#sessions.set(name, session);
    return session;
  }

  #remember(line: Line): void {
    for (const event of this.#parse(line)?.events ?? []) this.#sessionOf(event).feed(event);
  }

  #follow(line: Line, found: Found): void {
    const { counts } = found;
    const parsed = this.#parse(line);
    counts.records++;
    if (!parsed) counts.badLines++;
    else if (parsed.unknown) counts.unknown[parsed.unknown] = (counts.unknown[parsed.unknown] ?? 0) + 1;
    for (const event of parsed?.events ?? []) {
      add(found, this.#sessionOf(event).feed(event));
      counts.lastEventAt = Math.max(counts.lastEventAt ?? 0, event.at || 0);
    }
  }

  #parse(line: Line): ParsedLine | null {
    try {
      return this.#parser.parse(line.text, line.span);
    } catch {
      return null; // counted as a bad line by the caller and shown in the UI
    }
  }
}

const beginning = (): Found => ({
  ...emptyCapture(),
  counts: { records: 0, badLines: 0, unknown: {}, lastEventAt: null },
});

function add(found: Captured, captured: Captured): void {
  found.moments.push(...captured.moments);
  found.continuations.push(...captured.continuations);
  found.effects.push(...captured.effects);
  found.complete.push(...captured.complete);
  found.voided.push(...captured.voided);
  found.sessions.push(...captured.sessions);
}

/** Joins what was read of a file with what its signals still held back. */
export function joinStretches(read: Stretch, rest: Stretch): Stretch {
  return {
    ...read,
    moments: [...read.moments, ...rest.moments],
    continuations: [...read.continuations, ...rest.continuations],
    effects: [...read.effects, ...rest.effects],
    complete: [...read.complete, ...rest.complete],
    voided: [...read.voided, ...rest.voided],
    sessions: [...read.sessions, ...rest.sessions],
  };
}
