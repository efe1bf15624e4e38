import type { TranscriptEvent } from '../../transcripts/adapter.ts';

interface Follower<M> {
  see(event: TranscriptEvent): M[];
  rest(): M[];
}

/** Some agents write a subagent's conversation between the records of their own: each is followed by itself. */
export class Tracks<M> {
  readonly #own: Follower<M>;
  readonly #subagent: Follower<M>;

  constructor(create: () => Follower<M>) {
    [this.#own, this.#subagent] = [create(), create()];
  }

  see(event: TranscriptEvent): M[] {
    return (event.subagent ? this.#subagent : this.#own).see(event);
  }

  rest(): M[] {
    return [...this.#own.rest(), ...this.#subagent.rest()];
  }
}
