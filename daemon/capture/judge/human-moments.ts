import type { TranscriptEvent } from '../../transcripts/adapter.ts';
import type { Prompt } from '../event-kinds.ts';
import { countWords } from '../../text/tokenise.ts';
import { isTemplate, JUDGED, plain, ruleSentences } from './wording.ts';

/** A person's message with what it answers and what answered it. */
export interface HumanMoment {
  prompt: Prompt;
  /** The words that count, as typed, and normalised for patterns. Of a pasted text only its rules do. */
  typed: string;
  text: string;
  words: number;
  /** Only the rules of a longer text, which no person typed. */
  excerpt: boolean;
  opensSession: boolean;
  /** The agent was stopped in the middle of its turn. */
  interrupted: boolean;
  /** The agent's last words before it, and its actions since the previous message. */
  before: string;
  acted: boolean;
  edited: boolean;
  committed: boolean;
  /** The agent's next words; '' when it has not replied. */
  after: string;
}

const EDITS = /^(?:edit|write|multiedit|notebookedit|apply_patch|create|str_replace|replace)/i;
const COMMITS = /\bgit (?:commit|push)\b|\bgh pr (?:create|merge)\b/;
const LONGEST_TYPED = 1_500; // characters

/** Follows one conversation and gives each message once the agent has reacted to it, or never will. */
export class HumanMoments {
  #prompts = 0;
  #lastReply = '';
  #interrupted = false;
  #acted = false;
  #edited = false;
  #committed = false;
  #waiting: HumanMoment | null = null;

  see(event: TranscriptEvent): HumanMoment[] {
    switch (event.kind) {
      case 'prompt':
        return this.#hear(event);
      case 'interruption':
        this.#interrupted = true;
        return [];
      case 'tool_call':
        this.#acted = true;
        this.#edited ||= EDITS.test(event.tool);
        this.#committed ||= COMMITS.test(event.input);
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
    const whole = plain(prompt.text);
    const rules = isPasted(prompt, whole) ? ruleSentences(prompt.text).join('\n') : '';
    if (prompt.subagent && rules === '') return this.#release('');
    const text = rules === '' ? whole : plain(rules);
    // Stopped and sent again with more in it: only the whole counts.
    const resent = this.#waiting !== null && text.startsWith(this.#waiting.text.slice(0, 200));
    const released = resent ? [] : this.#release('');
    this.#waiting = {
      prompt,
      typed: (rules || prompt.text).slice(0, JUDGED),
      text,
      words: countWords(text),
      excerpt: rules !== '',
      opensSession: this.#prompts === 0 && prompt.via === 'typed',
      interrupted: this.#interrupted && !resent,
      before: this.#lastReply,
      acted: this.#acted,
      edited: this.#edited,
      committed: this.#committed,
      after: '',
    };
    this.#prompts++;
    this.#interrupted = this.#acted = this.#edited = this.#committed = false;
    return released;
  }

  #release(after: string): HumanMoment[] {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting ? [{ ...waiting, after }] : [];
  }
}

/** Plans, templates and orders to a subagent describe one task at length; what lasts in them are rules. */
const isPasted = ({ subagent }: Prompt, text: string) =>
  subagent || text.length > LONGEST_TYPED || isTemplate(text);
