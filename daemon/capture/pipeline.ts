import { Lru } from '../platform/lru.ts';
import { resolveAll, type UserResolve } from '../ports/knob.ts';
import type { TranscriptEvent } from '../transcripts/adapter.ts';
import {
  type Captured,
  type CapturedMoment,
  COMMITTED,
  type Continuation,
  LONGEST_QUOTE,
  emptyCapture,
  type SessionSign,
  toTurn,
  type Turn,
  TURN_CHARACTERS,
} from './captured.ts';
import { commitMessageOf } from './commit-message.ts';
import { FindingMoments } from './judge/finding-moments.ts';
import { HumanMoments } from './judge/human-moments.ts';
import type { JudgeWeights } from './judge/cue.ts';
import { CAPTURE_KNOBS } from './judge/knobs.ts';
import shippedWeights from './judge/weights.json' with { type: 'json' };
import { Tracks } from './judge/tracks.ts';
import { onlyNarrates } from './judge/wording.ts';
import { isOwnRun } from './own-runs.ts';
import type { Lesson, SessionView, Sighting, SignalRun } from './port.ts';
import { SIGNALS } from './ports.ts';

const REMEMBERED = 40; // events
const TALK_BEFORE = 4; // turns
const TOOLS_BEFORE = 3;
const TURNS_AFTER = 3;
const MOST_COMMITTED = 8; // moments that a commit may be about
const UUIDS_KEPT = 100_000;
const SIGN_EVERY = 60_000; // ms

/** The dialogue around one event: before, itself, and after. */
interface Slice {
  turns: Turn[];
  /** Number of turns still to come. */
  left: number;
  /** The moments made from it; turns added to it are added to them. */
  keys: string[];
}

/** Follows one session event by event. Feeding it the same events again gives the same moments under the same keys. */
export class SessionCapture {
  readonly #runs: Array<[id: string, run: SignalRun]>;
  readonly #bars: Pick<SessionView, 'humanBar' | 'agentBar'>;
  readonly #weights: JudgeWeights;
  readonly #messages = new Tracks(() => new HumanMoments());
  readonly #statements = new Tracks(() => new FindingMoments());
  readonly #firstSeenAt = new Lru<string, number>(UUIDS_KEPT);
  /** Records that already made a moment: the first signal to notice one gets it. */
  readonly #noticed = new Set<string>();
  /** Slices by event. A signal may report an event late, so a slice lives as long as someone holds the event. */
  readonly #slices = new WeakMap<TranscriptEvent, Slice>();
  #open: Slice[] = [];
  /** Recent moments, for a session that is rewound. */
  #recentMoments: Array<{ key: string; start: number }> = [];
  /** Dialogue around the moments of the turn that is going on, and the agent's last words in it. */
  #inTurn: Slice[] = [];
  #lastWords: Turn | null = null;
  /** Those of the turn whose work was not committed yet: the commit's message may say what came of them. */
  #uncommitted: Slice[] = [];
  #recent: TranscriptEvent[] = [];
  #turns: Turn[] = [];
  #prompts = 0;
  #cwd = '';
  #branch: string | null = null;
  #own = false;
  #signedAt = -Infinity;

  constructor(resolve: UserResolve, weights: JudgeWeights = shippedWeights) {
    this.#weights = weights;
    this.#bars = resolveAll(CAPTURE_KNOBS, resolve);
    this.#runs = SIGNALS.filter((signal) => resolve(signal.switch)).map((signal) => [
      signal.id,
      signal.start(resolveAll(signal.knobs, resolve)),
    ]);
  }

  feed(event: TranscriptEvent): Captured {
    const captured = emptyCapture();
    if (this.#isCopy(event)) return captured;
    if ((this.#own ||= isOwnRun(event, this.#prompts))) return captured;
    // A record without a folder happened in the folder of the one before.
    if (event.cwd) [this.#cwd, this.#branch] = [event.cwd, event.branch];
    captured.sessions.push(...this.#sign(event));
    if (!event.subagent && (event.kind === 'prompt' || event.kind === 'turn-end')) this.#endTurn(captured);
    captured.continuations.push(...this.#slice(event), ...this.#commit(event));
    if (event.kind === 'meta' && event.rewindTo) captured.voided.push(...this.#windBack(event.rewindTo));
    const view = this.#view(this.#messages.see(event), this.#statements.see(event));
    for (const [id, run] of this.#runs) this.#take(id, run.see(event, view), event, captured);
    this.#recent = [...this.#recent.slice(1 - REMEMBERED), event];
    if (event.kind === 'prompt') this.#prompts++;
    return captured;
  }

  /** The session is quiet: signals report what they held back. */
  rest(): Captured {
    const captured = emptyCapture();
    const last = this.#recent.at(-1);
    if (!last) return captured;
    const view = this.#view(this.#messages.rest(), this.#statements.rest());
    for (const [id, run] of this.#runs) this.#take(id, run.rest?.(view) ?? [], last, captured);
    this.#endTurn(captured);
    return captured;
  }

  /** The agent has finished answering, as its hook reports. */
  turnEnded(): Captured {
    const captured = emptyCapture();
    this.#endTurn(captured);
    return captured;
  }

  #view(messages: SessionView['messages'], statements: SessionView['statements']): SessionView {
    return {
      recent: this.#recent,
      prompts: this.#prompts,
      messages,
      statements,
      weights: this.#weights,
      ...this.#bars,
      wasNoticed: (event) => this.#noticed.has(idOf(event)),
    };
  }

  #take(signal: string, sightings: Sighting[], now: TranscriptEvent, captured: Captured): void {
    for (const sighting of sightings) {
      switch (sighting.sees) {
        case 'lesson':
          captured.moments.push(...this.#moment(signal, sighting));
          break;
        case 'retraction':
          captured.voided.push(...SIGNALS.map(({ id }) => keyOf(id, sighting.of)));
          break;
        case 'forget':
          if (sighting.only) this.#noticed.add(idOf(now)); // a message that retracts a lesson teaches none
          captured.effects.push({ ...sighting, session: now.session, at: now.at, cwd: this.#cwd });
          break;
        default:
          captured.effects.push({ ...sighting, session: now.session, at: now.at, cwd: this.#cwd });
      }
    }
  }

  #sign(event: TranscriptEvent): SessionSign[] {
    const { session, at, kind, subagent } = event;
    const request = kind === 'prompt' && !subagent && this.#prompts === 0 ? event.text : '';
    if (session === '' || !at || (request === '' && at - this.#signedAt < SIGN_EVERY)) return [];
    this.#signedAt = at;
    return [{ session, at, cwd: this.#cwd, request: request.slice(0, TURN_CHARACTERS) }];
  }

  /** One record gives several events under one uuid; the same uuid elsewhere is a copy made by a resumed session. */
  #isCopy({ uuid, span }: TranscriptEvent): boolean {
    if (!uuid) return false;
    const first = this.#firstSeenAt.get(uuid);
    if (first !== undefined) return first !== span.start;
    this.#firstSeenAt.set(uuid, span.start);
    return false;
  }

  /** Opens the event's slice and adds its turn to the slices still open, and to the moments already made from them. */
  #slice(event: TranscriptEvent): Continuation[] {
    const turn = toTurn(event, false);
    const said =
      turn && turn.role !== 'tool' && !(turn.role === 'agent' && onlyNarrates(turn.text)) ? turn : null;
    if (said?.role === 'agent' && !event.subagent) this.#lastWords = said;
    const continuations = said
      ? this.#open.flatMap(({ keys }) => keys.map((key) => ({ key, turn: said })))
      : [];
    if (said) {
      for (const slice of this.#open) slice.turns.push(said);
      this.#open = this.#open.filter((slice) => --slice.left > 0);
    }
    const slice = {
      turns: present([...leadingTo(this.#turns), toTurn(event, true)]),
      left: TURNS_AFTER,
      keys: [],
    };
    this.#slices.set(event, slice);
    this.#open.push(slice);
    // Silent work opens slices and closes none.
    if (this.#open.length > REMEMBERED) this.#open.shift();
    if (turn) this.#turns = [...this.#turns.slice(1 - REMEMBERED), turn];
    return continuations;
  }

  /**
   * The agent's last words sum its turn up: every moment noticed in it gets them, however much was said in between.
   * After that it is complete: were more added, a session read as a whole would give other notes than the same session
   * read live.
   */
  #endTurn(captured: Captured): void {
    const [summary, over] = [this.#lastWords, this.#inTurn];
    [this.#lastWords, this.#inTurn, this.#uncommitted] = [null, [], []];
    this.#open = this.#open.filter((slice) => !over.includes(slice));
    for (const { turns, keys } of over) {
      if (summary && !turns.includes(summary)) {
        turns.push(summary);
        captured.continuations.push(...keys.map((key) => ({ key, turn: summary })));
      }
      captured.complete.push(...keys);
    }
  }

  /** A commit records what the moments of its turn led to, mostly in words that stand alone. */
  #commit(event: TranscriptEvent): Continuation[] {
    const message = event.kind === 'tool_call' && !event.subagent ? commitMessageOf(event) : '';
    if (message === '') return [];
    const turn: Turn = {
      role: 'tool',
      text: `${COMMITTED}${message.slice(0, TURN_CHARACTERS)}`,
      at: event.at,
      trigger: false,
    };
    const slices = this.#uncommitted;
    this.#uncommitted = [];
    return slices.flatMap((slice) => {
      slice.turns.push(turn);
      return slice.keys.map((key) => ({ key, turn }));
    });
  }

  #moment(signal: string, lesson: Lesson): CapturedMoment[] {
    const { trigger, quote, type, score, cues = [], why, recurring = null, speculative = false } = lesson;
    const slice = this.#slices.get(trigger);
    if (!slice || this.#noticed.has(idOf(trigger))) return [];
    this.#noticed.add(idOf(trigger));
    const key = keyOf(signal, trigger);
    slice.keys.push(key);
    this.#inTurn = [...this.#inTurn.slice(1 - REMEMBERED), slice];
    this.#uncommitted = [...this.#uncommitted.slice(1 - MOST_COMMITTED), slice];
    this.#recentMoments = [...this.#recentMoments.slice(1 - REMEMBERED), { key, start: trigger.span.start }];
    const { session, at, span } = trigger;
    const cwd = trigger.cwd || this.#cwd;
    return [
      {
        key,
        signal,
        session,
        at,
        cwd,
        branch: trigger.branch ?? this.#branch,
        span,
        quote: quote.slice(0, LONGEST_QUOTE + 1_000),
        type,
        score,
        cues,
        why,
        recurring,
        speculative,
        turns: [...slice.turns],
      },
    ];
  }

  /** The person rewound to that record and continued from there: moments after it are void. */
  #windBack(uuid: string): string[] {
    const from = this.#firstSeenAt.get(uuid);
    return from === undefined
      ? []
      : this.#recentMoments.filter(({ start }) => start >= from).map(({ key }) => key);
  }
}

/** The last things said and done, in their order. */
function leadingTo(turns: readonly Turn[]): Turn[] {
  const talk = turns.filter(({ role }) => role !== 'tool').slice(-TALK_BEFORE);
  const tools = turns.filter(({ role }) => role === 'tool').slice(-TOOLS_BEFORE);
  return turns.filter((turn) => talk.includes(turn) || tools.includes(turn));
}

const idOf = ({ uuid, session, span }: TranscriptEvent) => uuid || `${session}:${span.start}`;
const keyOf = (signal: string, trigger: TranscriptEvent) => `${signal}:${idOf(trigger)}`;

const present = <T>(values: Array<T | null>): T[] => values.filter((value) => value !== null);
