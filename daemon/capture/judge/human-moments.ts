import type { TranscriptEvent } from '../../transcripts/adapter.ts';
import type { Prompt } from '../event-kinds.ts';
import { countWords } from '../../text/tokenise.ts';
import { JUDGED, plain } from './wording.ts';

/** A person's message with what it answers and what answered it. */
export interface HumanMoment {
  prompt: Prompt;
  /** The message as typed, and normalised for patterns. */
  typed: string;
  text: string;
  words: number;
  opensSession: boolean;
  /** The agent was stopped in the middle of its turn. */
  interrupted: boolean;
  /** The agent's last words before it, and its actions since the previous message. */
  before: string;
  acted: boolean;
  edited: boolean;
  /** The agent's next words; '' when it has not replied. */
  after: string;
}

const EDITS = /^(?:edit|write|multiedit|notebookedit|apply_patch|create|str_replace|replace)/i;

/** Follows a session and gives each message once the agent has reacted to it, or never will. */
export class HumanMoments {
  #prompts = 0;
  #lastReply = '';
  #interrupted = false;
  #acted = false;
  #edited = false;
  #waiting: HumanMoment | null = null;

  see(event: TranscriptEvent): HumanMoment[] {
    if (event.subagent) return [];
    switch (event.kind) {
      case 'prompt':
        return this.#hear(event);
      case 'interruption':
        this.#interrupted = true;
        return [];
      case 'tool_call':
        this.#acted = true;
        this.#edited ||= EDITS.test(event.tool);
        return [];
      case 'reply': {
        this.#lastReply = plain(event.text);
        return this.#release(this.#lastReply);
      }
      default:
        return [];
    }
  }

  rest(): HumanMoment[] {
    return this.#release('');
  }

  #hear(prompt: Prompt): HumanMoment[] {
    const text = plain(prompt.text);
    // Stopped and sent again with more in it: only the whole counts.
    const resent = this.#waiting !== null && text.startsWith(this.#waiting.text.slice(0, 200));
    const released = resent ? [] : this.#release('');
    this.#waiting = {
      prompt,
      typed: prompt.text.slice(0, JUDGED),
      text,
      words: countWords(text),
      opensSession: this.#prompts === 0 && prompt.via === 'typed',
      interrupted: this.#interrupted && !resent,
      before: this.#lastReply,
      acted: this.#acted,
      edited: this.#edited,
      after: '',
    };
    this.#prompts++;
    [this.#interrupted, this.#acted, this.#edited] = [false, false, false];
    return released;
  }

  #release(after: string): HumanMoment[] {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting ? [{ ...waiting, after }] : [];
  }
}
