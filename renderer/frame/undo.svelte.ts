import type { Call } from '#contract/methods.ts';
import { undoWords } from './words.ts';
import { changeNames } from '../learnings/words.ts';
import { asError } from '../ui/error.ts';

type Offer = { says: string; undo?: (() => Promise<unknown>) | undefined };

const OFFERED_MS = 10_000;

/** The one bar that tells what was just done and takes it back. */
export class UndoState {
  readonly #call: Call;
  offer = $state.raw<Offer | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #underway: Promise<unknown> = Promise.resolve();

  constructor(call: Call) {
    this.#call = call;
  }

  /** Tells what was done; with a way back, offers it. */
  tell(says: string, undo?: () => Promise<unknown>): void {
    this.offer = { says, undo };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.dismiss(), OFFERED_MS);
  }

  /** Offers to take back a recorded change. */
  tellChange(says: string, changeId: number): void {
    this.tell(says, () => this.#call('changes.undo', { changeId }));
  }

  /**
   * For methods that answer without a change id: the newest change of the learning is theirs, if it was made since they
   * were asked. Looked up before it is offered, so that undoing never takes back an older or somebody else's change.
   */
  async tellChangeOf(learningId: string, since: number, says: string): Promise<void> {
    this.tell(says);
    try {
      const [newest] = await this.#call('learnings.history', { id: learningId });
      if (newest && !newest.undone && newest.at >= since) this.tellChange(says, newest.id);
    } catch {
      // It was done and said; only the way back is not offered.
    }
  }

  /** Does what a person asked for and tells where it fails. Whoever wants it back before it is done, waits for it. */
  async attempt(work: () => Promise<void>): Promise<void> {
    const doing = work().catch((error: unknown) => this.fail(error));
    this.#underway = Promise.all([this.#underway, doing]);
    await doing;
  }

  fail(error: unknown): void {
    this.tell(asError(error).message);
  }

  dismiss(): void {
    clearTimeout(this.#timer);
    this.offer = null;
  }

  /** Takes back what is offered, else the newest change that can be. */
  async undo(): Promise<void> {
    await this.#underway; // else a fast key would take back what was done before
    const undo = this.offer?.undo;
    try {
      if (undo) {
        await undo();
        this.tell(undoWords.undone);
      } else {
        const { change } = await this.#call('changes.undo', {});
        this.tell(
          undoWords.undoneChange(
            changeNames[change.kind],
            change.after?.title ?? change.before?.title ?? change.learningId,
          ),
        );
      }
    } catch (error) {
      this.fail(error);
    }
  }
}
