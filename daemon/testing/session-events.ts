import { type Captured, emptyCapture } from '../capture/captured.ts';
import { SessionCapture } from '../capture/pipeline.ts';
import type { TranscriptEvent } from '../transcripts/adapter.ts';

type Happening = TranscriptEvent extends infer E
  ? E extends TranscriptEvent
    ? Omit<E, 'at' | 'session' | 'uuid' | 'cwd' | 'branch' | 'span' | 'subagent'>
    : never
  : never;

/** A session event by event, one every ten seconds, as an adapter would report it. */
export class SessionEvents {
  readonly events: TranscriptEvent[] = [];
  readonly #session: string;
  #at = Date.UTC(2026, 5, 1, 9);

  constructor(session = 'session-1') {
    this.#session = session;
  }

  happens(happening: Happening, { subagent = false } = {}): this {
    const start = this.events.length * 100;
    this.#at += 10_000;
    const common = {
      at: this.#at,
      session: this.#session,
      uuid: `${this.#session}-${start}`,
      cwd: '/home/ada/shop',
      branch: 'main',
      span: { start, end: start + 99 },
      subagent,
    };
    this.events.push({ ...common, ...happening });
    return this;
  }

  waits(minutes: number): this {
    this.#at += minutes * 60_000;
    return this;
  }

  human(text: string): this {
    return this.happens({ kind: 'prompt', text, via: 'typed' });
  }

  agent(text: string): this {
    return this.happens({ kind: 'reply', text });
  }

  calls(tool: string, input: object): this {
    return this.happens({
      kind: 'tool_call',
      tool,
      callId: `call-${this.events.length}`,
      input: JSON.stringify(input),
    });
  }

  runs(command: string, output: string, { failed = false } = {}): this {
    const callId = `call-${this.events.length}`;
    return this.calls('Bash', { command }).happens({ kind: 'tool_result', callId, output, failed });
  }

  edits(file: string): this {
    return this.calls('Edit', {
      file_path: `/home/ada/shop/${file}`,
      old_string: 'a',
      new_string: `b${this.events.length}`,
    });
  }

  todo(...items: Array<[text: string, state: string]>): this {
    return this.happens({ kind: 'todo', items: items.map(([text, state]) => ({ text, state })) });
  }

  /** The moments and effects that the shipped signals find in it, with these settings changed. */
  noticed(settings: Record<string, unknown> = {}): Captured {
    return this.#feed(settings).captured;
  }

  /** The same, and what they still tell when nothing more is said. */
  noticedToTheEnd(settings: Record<string, unknown> = {}): Captured {
    const { session, captured } = this.#feed(settings);
    return together(captured, session.rest());
  }

  #feed(settings: Record<string, unknown>) {
    const session = new SessionCapture(
      (knob) => (settings[knob.name] ?? knob.default) as typeof knob.default,
    );
    return {
      session,
      captured: this.events.map((event) => session.feed(event)).reduce(together, emptyCapture()),
    };
  }
}

function together(one: Captured, other: Captured): Captured {
  return {
    moments: [...one.moments, ...other.moments],
    continuations: [...one.continuations, ...other.continuations],
    complete: [...one.complete, ...other.complete],
    effects: [...one.effects, ...other.effects],
    voided: [...one.voided, ...other.voided],
    sessions: [...one.sessions, ...other.sessions],
  };
}
