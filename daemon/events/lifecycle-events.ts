import { homedir } from 'node:os';
import type { Change, Learning } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Log } from '../platform/log.ts';
import { appendLine } from '../platform/rotating-file.ts';
import { runCommand, shell } from '../platform/run-command.ts';
import { flag, type UserKnob, type UserResolve, text } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';

/** All lifecycle events, and when they fire. */
const EVENTS = {
  'learning.created': 'a learning is saved',
  'learning.updated': 'a learning changes, gets a proof, or is retired',
  'skill.refreshed': 'an installed skill changes',
  'consolidation.completed': 'learnings were consolidated',
  'question.asked': 'two learnings wait for a decision',
  'graph.maintained': 'the graph was checked and repaired',
} as const;
export type LifecycleEvent = keyof typeof EVENTS;
const LIFECYCLE_EVENTS = Object.keys(EVENTS) as LifecycleEvent[]; // the keys of EVENTS

const knobName = (event: string) => `REFLECT_EVENTS_ON_${event.toUpperCase().replaceAll('.', '_')}`;
// Personal: a cloned repository must not decide what runs here.
const hookKnobs = Object.fromEntries(
  LIFECYCLE_EVENTS.map((event) => [
    event,
    text(knobName(event), '', `Shell command to run when ${EVENTS[event]}`),
  ]),
) as Record<LifecycleEvent, UserKnob<string>>;

export const lifecycleEvents = {
  id: 'events.lifecycle',
  seeds: ['C4'],
  doc: 'Writes changes to events.jsonl and runs your command for an event, if configured.',
  switch: flag('REFLECT_EVENTS', true, 'Write events.jsonl and run the commands configured for events'),
  knobs: hookKnobs,
} satisfies PortCard;

interface LifecycleParts {
  file: string;
  resolve: UserResolve;
  environment: NodeJS.ProcessEnv;
  log: Log;
  now: () => number;
  /** How long a command may take, in milliseconds. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const MOST_WAITING = 100; // commands; a flood of events must not become a flood of processes

/** Publishes events: a line in a file, and the person's own command, which nothing waits for. */
export class Lifecycle {
  readonly #parts: LifecycleParts;
  readonly #waiting: Array<{ event: LifecycleEvent; command: string; payload: string }> = [];
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
  }

  /** Throws for an unknown event, before anything is written. */
  emit(event: LifecycleEvent, payload: Record<string, unknown>): void {
    if (!Object.hasOwn(EVENTS, event))
      throw new DaemonError(
        'bad-input',
        `${event as string} is not an event; events are ${LIFECYCLE_EVENTS.join(', ')}`,
      );
    const { file, resolve, log, now } = this.#parts;
    if (!resolve(lifecycleEvents.switch)) return;
    try {
      appendLine(file, JSON.stringify({ event, ts: new Date(now()).toISOString(), payload }));
    } catch (error) {
      log.error(`writing the event ${event}`, error);
    }
    const command = resolve(hookKnobs[event]);
    if (command.trim() !== '') this.#queue({ event, command, payload: JSON.stringify(payload) });
  }

  /** Ends the running command and drops the waiting ones. */
  async stop(): Promise<void> {
    this.#waiting.length = 0;
    this.#stopping.abort(new Error('Reflect stops'));
    await this.#running;
  }

  /** Settles when every command has ended. */
  async idle(): Promise<void> {
    await this.#running;
  }

  #queue(entry: { event: LifecycleEvent; command: string; payload: string }): void {
    if (this.#waiting.length >= MOST_WAITING)
      return this.#parts.log.error(
        `the command for ${entry.event} was not run: ${MOST_WAITING} others are waiting`,
      );
    this.#waiting.push(entry);
    this.#running ??= this.#work().finally(() => (this.#running = null));
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift())
      await this.#run(next.event, next.command, next.payload);
  }

  async #run(event: LifecycleEvent, command: string, payload: string): Promise<void> {
    const { environment, log, timeoutMs = TIMEOUT_MS } = this.#parts;
    const tooLong = AbortSignal.timeout(timeoutMs);
    try {
      const { code, stderr } = await runCommand({
        argv: shell(command),
        cwd: homedir(),
        environment: { ...environment, REFLECT_EVENT: event, REFLECT_EVENT_PAYLOAD: payload },
        input: '',
        signal: AbortSignal.any([tooLong, this.#stopping.signal]),
      });
      if (code !== 0) log.error(`the command for ${event} ended with ${code}: ${stderr.trim()}`);
    } catch (error) {
      log.error(
        `the command for ${event} was ended${tooLong.aborted ? ` after ${timeoutMs / 1_000} s` : ''}: ${(error as Error).message}`,
      );
    }
  }
}

/** The payload of a learning's event; a command can fetch more by its id. */
export function eventOf(
  { id, title, category, project, status, confidence, signals }: Learning,
  kind: Change['kind'],
): Record<string, unknown> {
  return { id, kind, title, category, project, status, confidence, proofCount: signals.proofCount };
}
