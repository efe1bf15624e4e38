import { closeSync, fstatSync, openSync } from 'node:fs';
import type { Resolve } from '../ports/knob.ts';
import type { TranscriptAdapter } from '../transcripts/adapter.ts';
import type { ReadCounts, ReadPosition } from '../transcripts/read-position.ts';
import { fingerprint, type Line, readLines, sameFile } from '../transcripts/tail.ts';
import { type Captured, nothing, SessionCapture } from './pipeline.ts';

export interface Stretch extends Captured {
  position: ReadPosition;
  counts: ReadCounts;
  caughtUp: boolean;
}

const CHUNK = 1024 * 1024; // bytes read and handed on at a time
const WARM_UP = 256 * 1024; // bytes re-read without noticing, to know what was said before a restart

/** Reads one transcript on from where it was left, following its session. */
export class TranscriptReader {
  readonly #adapter: TranscriptAdapter;
  readonly #path: string;
  readonly #resolve: Resolve;
  #known: ReadPosition | null;
  #session: SessionCapture | null = null;

  constructor(adapter: TranscriptAdapter, path: string, known: ReadPosition | null, resolve: Resolve) {
    this.#adapter = adapter;
    this.#path = path;
    this.#known = known;
    this.#resolve = resolve;
  }

  /** The next stretch, or null when there is nothing new. */
  read(): Stretch | null {
    const descriptor = openSync(this.#path, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const from = this.#whereToBegin(descriptor, size);
      if (size === from && this.#known?.size === size) return null;
      const { lines, position, oversized } = readLines(descriptor, from, CHUNK);
      const stretch = this.#follow(lines, this.#session ?? this.#warmUp(descriptor, from));
      stretch.counts.badLines += oversized;
      const reached = { agent: this.#adapter.agent, path: this.#path, fingerprint: this.#known?.fingerprint ?? fingerprint(descriptor), position, size };
      this.#known = reached;
      return { ...stretch, position: reached, caughtUp: position === from || position >= size };
    } finally {
      closeSync(descriptor);
    }
  }

  /** The session has gone quiet: what its signals still held back, which nothing has confirmed. */
  rest(): Stretch | null {
    const known = this.#known;
    if (!known) return null;
    const descriptor = openSync(this.#path, 'r');
    try {
      const { windows, ...captured } = (this.#session ?? this.#warmUp(descriptor, known.position)).rest();
      const counts: ReadCounts = { records: 0, badLines: 0, unknown: {}, lastEventAt: null };
      return { ...captured, windows: windows.map((window) => ({ ...window, speculative: true })), counts, position: known, caughtUp: true };
    } finally {
      closeSync(descriptor);
    }
  }

  /** A file that shrank or begins otherwise was rewritten: it is read anew, and keys keep what is known from coming twice. */
  #whereToBegin(descriptor: number, size: number): number {
    if (this.#known && size >= this.#known.position && sameFile(descriptor, this.#known.fingerprint)) return this.#known.position;
    this.#known = null;
    this.#session = null;
    return 0;
  }

  #warmUp(descriptor: number, from: number): SessionCapture {
    const session = new SessionCapture(this.#resolve);
    this.#session = session;
    const start = Math.max(0, from - WARM_UP);
    if (start === from) return session;
    const { lines } = readLines(descriptor, start, from - start);
    for (const line of start > 0 ? lines.slice(1) : lines) {
      for (const event of this.#parse(line)?.events ?? []) session.feed(event);
    }
    return session;
  }

  #follow(lines: Line[], session: SessionCapture): Omit<Stretch, 'position' | 'caughtUp'> {
    const counts: ReadCounts = { records: lines.length, badLines: 0, unknown: {}, lastEventAt: null };
    const all = nothing();
    for (const line of lines) {
      const parsed = this.#parse(line);
      if (!parsed) counts.badLines++;
      else if (parsed.unknown) counts.unknown[parsed.unknown] = (counts.unknown[parsed.unknown] ?? 0) + 1;
      for (const event of parsed?.events ?? []) {
        const captured = session.feed(event);
        all.windows.push(...captured.windows);
        all.continuations.push(...captured.continuations);
        all.effects.push(...captured.effects);
        all.voided.push(...captured.voided);
        counts.lastEventAt = Math.max(counts.lastEventAt ?? 0, event.at || 0);
      }
    }
    return { counts, ...all };
  }

  #parse(line: Line) {
    try {
      return this.#adapter.parseLine(line.text, line.span);
    } catch {
      return null; // counted as a bad line by the caller and shown in the UI
    }
  }
}
