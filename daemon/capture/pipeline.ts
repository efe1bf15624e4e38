import { resolveAll, type Resolve } from '../ports/knob.ts';
import type { TranscriptEvent } from '../transcripts/adapter.ts';
import type { Noticed, SignalRun } from './port.ts';
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
  score: number;
  why: string[];
  turns: Turn[];
}

/** What came right after a window that was handed on already: mostly the agent restating the lesson. */
export interface Continuation {
  key: string;
  turn: Turn;
}

export interface Captured {
  windows: CapturedWindow[];
  continuations: Continuation[];
}

const REMEMBERED = 40; // events
const TURNS_BEFORE = 6;
const TURNS_AFTER = 3;
const TURN_CHARACTERS = 2_000;

/** Follows one session event by event. Feeding it the same events again gives the same windows under the same keys. */
export class SessionCapture {
  readonly #runs: Array<[id: string, run: SignalRun]>;
  readonly #firstSeenAt = new Map<string, number>();
  #recent: TranscriptEvent[] = [];
  #prompts = 0;
  #cwd = '';
  #branch: string | null = null;
  #open: Array<{ key: string; left: number }> = [];

  constructor(resolve: Resolve) {
    this.#runs = SIGNALS.filter((signal) => resolve(signal.switch)).map((signal) => [signal.id, signal.start(resolveAll(signal.knobs, resolve))]);
  }

  feed(event: TranscriptEvent): Captured {
    const captured: Captured = { windows: [], continuations: [] };
    if (this.#isCopy(event)) return captured;
    // Some records carry no folder of their own; they happened where the one before did.
    if (event.cwd) [this.#cwd, this.#branch] = [event.cwd, event.branch];
    captured.continuations.push(...this.#continue(event));
    const session = { recent: this.#recent, prompts: this.#prompts };
    for (const [id, run] of this.#runs) {
      for (const noticed of run.see(event, session)) captured.windows.push(this.#window(id, noticed, event));
    }
    this.#recent = [...this.#recent.slice(1 - REMEMBERED), event];
    if (event.kind === 'prompt') this.#prompts++;
    return captured;
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

  #window(signal: string, { trigger, quote, score, why }: Noticed, now: TranscriptEvent): CapturedWindow {
    const key = `${signal}:${trigger.uuid || `${trigger.session}:${trigger.span.start}`}`;
    // A signal may decide later than its trigger; what was said in between belongs to the window.
    const until = trigger === now ? [trigger] : [...this.#recent.slice(this.#recent.indexOf(trigger)), now];
    const before = this.#recent.filter((event) => !until.includes(event)).map((event) => toTurn(event, false));
    const turns = [...present(before).slice(-TURNS_BEFORE), ...present(until.map((event) => toTurn(event, event === trigger)))];
    this.#open.push({ key, left: TURNS_AFTER });
    const { session, at, span } = trigger;
    return { key, signal, session, at, cwd: this.#cwd, branch: this.#branch, span, quote, score, why, turns };
  }
}

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
