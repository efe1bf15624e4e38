import { resolveAll, type Resolve } from '../ports/knob.ts';
import type { TranscriptEvent } from '../transcripts/adapter.ts';
import { isOwnRun } from './own-runs.ts';
import type { Effect, Lesson, SessionView, Sighting, SignalRun } from './port.ts';
import { SIGNALS } from './ports.ts';

export interface Turn {
  role: 'human' | 'agent' | 'tool';
  text: string;
  at: number;
  trigger: boolean;
}

/** The slice of dialogue around what was noticed: all the drain ever sees of a transcript. */
export interface CapturedWindow {
  key: string;
  signal: string;
  session: string;
  at: number;
  cwd: string;
  branch: string | null;
  span: { start: number; end: number };
  quote: string;
  type: Lesson['type'];
  score: number;
  why: string[];
  recurring: string | null;
  speculative: boolean;
  turns: Turn[];
}

/** An effect with where and when it happened. */
export type CapturedEffect = Effect & { session: string; at: number; cwd: string };

/** What came right after a window that was handed on already: mostly the agent restating the lesson. */
export interface Continuation {
  key: string;
  turn: Turn;
}

export interface Captured {
  windows: CapturedWindow[];
  continuations: Continuation[];
  effects: CapturedEffect[];
  /** Keys of windows the person took back. */
  voided: string[];
}

export const nothing = (): Captured => ({ windows: [], continuations: [], effects: [], voided: [] });

const REMEMBERED = 40; // events
const TURNS_BEFORE = 6;
const TURNS_AFTER = 3;
const TURN_CHARACTERS = 2_000;

/** Follows one session event by event. Feeding it the same events again gives the same windows under the same keys. */
export class SessionCapture {
  readonly #runs: Array<[id: string, run: SignalRun]>;
  readonly #firstSeenAt = new Map<string, number>();
  /** Of the records that made a window already: the first signal to notice a moment has it. */
  readonly #noticed = new Set<string>();
  #recent: TranscriptEvent[] = [];
  #prompts = 0;
  #cwd = '';
  #branch: string | null = null;
  #own = false;
  #open: Array<{ key: string; left: number }> = [];

  constructor(resolve: Resolve) {
    this.#runs = SIGNALS.filter((signal) => resolve(signal.switch)).map((signal) => [signal.id, signal.start(resolveAll(signal.knobs, resolve))]);
  }

  feed(event: TranscriptEvent): Captured {
    const captured = nothing();
    if (this.#isCopy(event)) return captured;
    if ((this.#own ||= isOwnRun(event, this.#prompts))) return captured;
    // Some records carry no folder of their own; they happened where the one before did.
    if (event.cwd) [this.#cwd, this.#branch] = [event.cwd, event.branch];
    captured.continuations.push(...this.#continue(event));
    for (const [id, run] of this.#runs) this.#take(id, run.see(event, this.#view), event, captured);
    this.#recent = [...this.#recent.slice(1 - REMEMBERED), event];
    if (event.kind === 'prompt') this.#prompts++;
    return captured;
  }

  /** Nothing was said for a while: what signals still hold back comes out. */
  rest(): Captured {
    const captured = nothing();
    const last = this.#recent.at(-1);
    if (!last) return captured;
    for (const [id, run] of this.#runs) this.#take(id, run.rest?.(this.#view) ?? [], last, captured);
    return captured;
  }

  get #view(): SessionView {
    return { recent: this.#recent, prompts: this.#prompts };
  }

  #take(signal: string, sightings: Sighting[], now: TranscriptEvent, captured: Captured): void {
    for (const sighting of sightings) {
      if (sighting.sees === 'lesson') captured.windows.push(...this.#window(signal, sighting, now));
      else if (sighting.sees === 'retraction') captured.voided.push(...SIGNALS.map(({ id }) => keyOf(id, sighting.of)));
      else captured.effects.push({ ...sighting, session: now.session, at: now.at, cwd: this.#cwd });
    }
  }

  /** One record gives several events under one uuid; the same uuid elsewhere is a copy made by a resumed session. */
  #isCopy({ uuid, span }: TranscriptEvent): boolean {
    if (!uuid) return false;
    const first = this.#firstSeenAt.get(uuid) ?? span.start;
    this.#firstSeenAt.set(uuid, first);
    return first !== span.start;
  }

  #continue(event: TranscriptEvent): Continuation[] {
    const turn = toTurn(event, false);
    if (!turn || turn.role === 'tool') return [];
    const continuations = this.#open.map(({ key }) => ({ key, turn }));
    this.#open = this.#open.map(({ key, left }) => ({ key, left: left - 1 })).filter(({ left }) => left > 0);
    return continuations;
  }

  #window(signal: string, lesson: Lesson, now: TranscriptEvent): CapturedWindow[] {
    const { trigger, quote, type, score, why, recurring = null, speculative = false } = lesson;
    if (this.#noticed.has(idOf(trigger))) return [];
    this.#noticed.add(idOf(trigger));
    const key = keyOf(signal, trigger);
    // A signal may decide later than its trigger; what was said in between belongs to the window.
    const until = trigger === now ? [trigger] : [...this.#recent.slice(this.#recent.indexOf(trigger)), now];
    const before = this.#recent.filter((event) => !until.includes(event)).map((event) => toTurn(event, false));
    const turns = [...present(before).slice(-TURNS_BEFORE), ...present(until.map((event) => toTurn(event, event === trigger)))];
    this.#open.push({ key, left: TURNS_AFTER });
    const { session, at, span } = trigger;
    return [{ key, signal, session, at, cwd: this.#cwd, branch: this.#branch, span, quote, type, score, why, recurring, speculative, turns }];
  }
}

const idOf = ({ uuid, session, span }: TranscriptEvent) => uuid || `${session}:${span.start}`;
const keyOf = (signal: string, trigger: TranscriptEvent) => `${signal}:${idOf(trigger)}`;

function toTurn(event: TranscriptEvent, trigger: boolean): Turn | null {
  const turn = (role: Turn['role'], text: string) => ({ role, text: text.slice(0, TURN_CHARACTERS), at: event.at, trigger });
  switch (event.kind) {
    case 'prompt': return turn('human', event.text);
    case 'reply': return turn('agent', event.text);
    case 'tool_call': return turn('tool', `${event.tool} ${event.input}`);
    case 'tool_result': return event.failed ? turn('tool', `failed: ${event.output}`) : null;
    default: return null;
  }
}

const present = <T>(values: Array<T | null>): T[] => values.filter((value) => value !== null);
