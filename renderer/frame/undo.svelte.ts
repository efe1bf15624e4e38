import type { Call } from '#contract/methods.ts';
import { undoWords } from './words.ts';
import { asError } from '../ui/error.ts';

/** Reverses something that was done. What it returns, if it is a function, reverses that again. */
export type Reversal = () => Promise<unknown>;
type Step = { says: string; reverse: Reversal };
type Offer = { says: string; canUndo: boolean };

const OFFERED_MS = 10_000;
const SHOWN_MS = 4_000; // nothing is to be done about it
const KEPT = 100;

/** Reverses a recorded change; reversing that is undoing the change that undid it. */
export function reverseChange(call: Call, changeId: number): () => Promise<Reversal | undefined> {
  return async () => {
    const { undoneBy } = await call('changes.undo', { changeId });
    return undoneBy === null ? undefined : reverseChange(call, undoneBy);
  };
}

/** Does something that has an opposite, and returns the way back, which returns the way forth again. */
export async function doReversibly(
  forth: () => Promise<unknown>,
  back: () => Promise<unknown>,
): Promise<Reversal> {
  await forth();
  return () => doReversibly(back, forth);
}

/**
 * The steps done in this window, and the bar that announces them. Only these steps can be undone: changes by the daemon, an
 * agent or another window have their own undo in a learning's history.
 */
export class UndoState {
  readonly #call: Call;
  offer = $state.raw<Offer | null>(null);
  readonly #done: Step[] = [];
  readonly #undone: Step[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #underway: Promise<unknown> = Promise.resolve();

  constructor(call: Call) {
    this.#call = call;
  }

  /** Says what was done; with a way back, `undo` takes it. */
  announce(says: string, reverse?: Reversal): void {
    if (reverse) {
      this.#done.push({ says, reverse });
      if (this.#done.length > KEPT) this.#done.shift();
      this.#undone.length = 0;
    }
    this.#show(says, reverse !== undefined);
  }

  announceChange(says: string, changeId: number): void {
    this.announce(says, reverseChange(this.#call, changeId));
  }

  /** Undoes a change chosen from a history, whoever made it; undoing that brings it back. */
  async undoChange(says: string, changeId: number): Promise<void> {
    this.announce(undoWords.undone(says), await reverseChange(this.#call, changeId)());
  }

  /**
   * For methods that answer without a change id: the newest change of the learning is theirs, if it was made since they
   * were asked. Looked up before it is offered, so that undoing never reverts an older or somebody else's change.
   */
  async announceChangeOf(learningId: string, since: number, says: string): Promise<void> {
    this.announce(says);
    try {
      const [newest] = await this.#call('learnings.history', { id: learningId });
      if (newest && !newest.undone && newest.at >= since) this.announceChange(says, newest.id);
    } catch {
      // It was done and said; only the way back is not offered.
    }
  }

  /** Does what a person asked for and shows where it fails. An undo waits until it is done. */
  async attempt(work: () => Promise<void>): Promise<void> {
    const doing = work().catch((error: unknown) => this.fail(error));
    this.#underway = Promise.all([this.#underway, doing]);
    await doing;
  }

  fail(error: unknown): void {
    this.announce(asError(error).message);
  }

  dismiss(): void {
    clearTimeout(this.#timer);
    this.offer = null;
  }

  undo(): Promise<void> {
    return this.#inTurn(() =>
      this.#move(this.#done, this.#undone, undoWords.undone, undoWords.nothingToUndo),
    );
  }

  redo(): Promise<void> {
    return this.#inTurn(() =>
      this.#move(this.#undone, this.#done, undoWords.redone, undoWords.nothingToRedo),
    );
  }

  /** Waits for all that is under way; else a fast key would undo what was done before it. */
  async #inTurn(work: () => Promise<void>): Promise<void> {
    const doing = this.#underway.then(work);
    this.#underway = doing;
    await doing;
  }

  /** Reverses the last of these steps; its way back becomes one of the others. */
  async #move(from: Step[], to: Step[], moved: (says: string) => string, nothing: string): Promise<void> {
    const step = from.pop();
    if (!step) {
      this.#show(nothing, false, SHOWN_MS);
      return;
    }
    try {
      const back = await step.reverse();
      this.#show(moved(step.says), false, SHOWN_MS);
      if (typeof back === 'function') to.push({ says: step.says, reverse: back as Reversal }); // a way back is a reversal
    } catch (error) {
      this.fail(error);
    }
  }

  #show(says: string, canUndo: boolean, ms = OFFERED_MS): void {
    this.offer = { says, canUndo };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.dismiss(), ms);
  }
}
