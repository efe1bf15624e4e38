import type { TranscriptEvent } from '../../transcripts/adapter.ts';
import type { Reply, ToolResult } from '../event-kinds.ts';
import { commandOf, essence, hasFailed, type ToolUse, ToolUses } from '../tool-use.ts';
import { explains, JUDGED, plain, statements } from './wording.ts';

/** Something the agent stated, with what led to it. */
export interface FindingMoment {
  reply: Reply;
  /** Its words as written, and normalised for patterns. */
  written: string;
  text: string;
  /** Its first sentences that state something, and all that give a reason or a limit. */
  head: string;
  reasons: string[];
  /** Answers a question of the person. */
  answers: boolean;
  afterFailure: boolean;
  failureInTurn: boolean;
  firstOfTurn: boolean;
  lastOfTurn: boolean;
  /** A command that had failed in this turn passed: before this was said, or afterwards. */
  afterPass: boolean;
  confirmed: boolean;
}

const HEAD = 3; // sentences
const FAILURE = /\bFAIL\b|\b[Ee]rror:/;
const LONGEST_OUTPUT = 3_000; // characters looked at for a failure

const saysFailed = (result: ToolResult) =>
  hasFailed(result) || FAILURE.test(result.output.slice(0, LONGEST_OUTPUT));

/**
 * Follows one conversation and gives all the agent stated in a turn once the turn is over: later statements correct
 * earlier ones.
 */
export class FindingMoments {
  #turn: FindingMoment[] = [];
  readonly #uses = new ToolUses();
  /** Commands that failed in this turn and have not passed since. */
  #failing = new Set<string>();
  #failed = false;
  #passed = false;
  #asked = false;
  #previous: TranscriptEvent | null = null;

  /** The statements of the turn that this event ends, if it does. */
  see(event: TranscriptEvent): FindingMoment[] {
    const ended = event.kind === 'prompt' ? this.rest() : [];
    if (event.kind === 'prompt') this.#asked = event.text.includes('?');
    const use = this.#uses.follow(event);
    if (use) this.#learnOutcome(use);
    if (event.kind === 'reply') this.#turn.push(this.#moment(event));
    this.#previous = event;
    return ended;
  }

  rest(): FindingMoment[] {
    const turn = this.#turn.map((moment, index, all) => ({
      ...moment,
      lastOfTurn: index === all.length - 1,
    }));
    this.#turn = [];
    this.#failing.clear();
    this.#failed = this.#passed = false;
    return turn;
  }

  #learnOutcome({ call, result }: ToolUse): void {
    const failed = saysFailed(result);
    const command = essence(commandOf(call) ?? call.tool);
    this.#failed ||= failed;
    if (failed) this.#failing.add(command);
    else if (this.#failing.delete(command)) {
      this.#passed = true;
      for (const moment of this.#turn) if (moment.failureInTurn) moment.confirmed = true;
    }
  }

  #moment(reply: Reply): FindingMoment {
    const previous = this.#previous;
    const stated = statements(reply.text);
    return {
      reply,
      written: reply.text.slice(0, JUDGED),
      text: plain(reply.text),
      head: stated.slice(0, HEAD).join(' '),
      reasons: stated.filter(explains),
      answers: this.#asked,
      afterFailure: previous?.kind === 'tool_result' && saysFailed(previous),
      failureInTurn: this.#failed,
      firstOfTurn: this.#turn.length === 0,
      lastOfTurn: false,
      afterPass: this.#passed,
      confirmed: this.#passed,
    };
  }
}
