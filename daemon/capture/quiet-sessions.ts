import { type UserResolve, resolveAll } from '../ports/knob.ts';
import { dueForSweep, idleSweep, type QuietFile, type SweepKnobs, untilDueForSweep } from './idle-sweep.ts';

const BETWEEN_SWEEPS = 60_000; // ms

/** Finds the sessions that have gone quiet (SG3), and says when to look for them again. */
export class QuietSessions {
  /** Null when the sweep is switched off. */
  readonly #knobs: SweepKnobs | null;
  readonly #swept: Map<string, number>;
  #found: string[] = [];
  #sweptAt = -Infinity;

  constructor(swept: Record<string, number>, resolve: UserResolve) {
    this.#swept = new Map(Object.entries(swept));
    this.#knobs = resolve(idleSweep.switch) ? resolveAll(idleSweep.knobs, resolve) : null;
  }

  get isOn(): boolean {
    return this.#knobs !== null;
  }

  /** Milliseconds until a session that was last written to then counts as quiet. */
  untilQuiet(mtimeMs: number, now: number): number {
    return this.#knobs ? mtimeMs + this.#knobs.idleSeconds * 1_000 - now : Infinity;
  }

  find(files: Iterable<QuietFile>, now: number): void {
    if (!this.#knobs || now < this.#sweptAt + between(this.#knobs)) return;
    this.#sweptAt = now;
    this.#found = dueForSweep(files, this.#swept, now, this.#knobs).map(({ path }) => path);
  }

  /** The next of those found. */
  next(): string | undefined {
    return this.#found.shift();
  }

  /** Milliseconds until `find` should be called again. */
  untilNextSweep(files: Iterable<QuietFile>, now: number): number {
    if (!this.#knobs) return Infinity;
    const wait = untilDueForSweep(files, this.#swept, now, this.#knobs);
    return Math.max(wait, this.#sweptAt + between(this.#knobs) - now);
  }

  markSwept(path: string, mtimeMs: number): void {
    this.#swept.set(path, Math.floor(mtimeMs));
  }
}

const between = ({ idleSeconds }: SweepKnobs) => Math.min(BETWEEN_SWEEPS, idleSeconds * 1_000);
