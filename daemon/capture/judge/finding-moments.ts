import type { TranscriptEvent } from '../../transcripts/adapter.ts';
import type { Reply } from '../event-kinds.ts';
import { JUDGED, plain, statements } from './wording.ts';

/** Something the agent stated, with what led to it. */
export interface FindingMoment {
  reply: Reply;
  /** Its words as written, and normalised for patterns. */
  written: string;
  text: string;
  /** Its first sentences that state something. */
  head: string;
  afterFailure: boolean;
  afterTool: boolean;
  failureInTurn: boolean;
  firstOfTurn: boolean;
  lastOfTurn: boolean;
  /** Something that had failed passed afterwards, in the same turn. */
  confirmed: boolean;
}

const HEAD = 3; // sentences
const FAILURE = /\bFAIL\b|\b[Ee]rror:/;

/** Follows a session and gives all the agent stated in a turn once the turn is over: later statements correct earlier ones. */
export class FindingMoments {
  #turn: FindingMoment[] = [];
  #failed = false;
  #previous: TranscriptEvent | null = null;

  /** The statements of the turn that this event ends, if it does. */
  see(event: TranscriptEvent): FindingMoment[] {
    if (event.subagent) return [];
    const ended = event.kind === 'prompt' ? this.rest() : [];
    if (event.kind === 'tool_result') this.#learnOutcome(event.failed);
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
    this.#failed = false;
    return turn;
  }

  #learnOutcome(failed: boolean): void {
    if (!failed && this.#failed)
      for (const moment of this.#turn) if (moment.failureInTurn) moment.confirmed = true;
    this.#failed ||= failed;
  }

  #moment(reply: Reply): FindingMoment {
    const previous = this.#previous;
    const afterTool = previous?.kind === 'tool_result';
    return {
      reply,
      written: reply.text.slice(0, JUDGED),
      text: plain(reply.text),
      head: statements(reply.text).slice(0, HEAD).join(' '),
      afterTool,
      afterFailure: afterTool && (previous.failed || FAILURE.test(previous.output.slice(0, 3_000))),
      failureInTurn: this.#failed,
      firstOfTurn: this.#turn.length === 0,
      lastOfTurn: false,
      confirmed: false,
    };
  }
}
