import type { Input } from '#contract/methods.ts';
import type { Memory, Message, Verdict } from '#contract/outcomes.ts';

type FinishedRun = Pick<
  Input<'traces.create'>,
  'task' | 'trajectory' | 'finalResponse' | 'retrievedMemoryIds' | 'review'
>;

/** The trace as the traced work sees it. */
export interface Run {
  /** The task with its memories, as a prompt for a model. */
  readonly augmentedTask: string;
  readonly memories: readonly Memory[];
  /** Adds messages to the trajectory, as the model's provider writes them. */
  record(...messages: Message[]): void;
  /** The final answer of the run. */
  respond(text: string): void;
  pass(feedback?: string, alpha?: number): void;
  fail(feedback?: string, alpha?: number): void;
}

export class TracedRun implements Run {
  readonly #task: string;
  readonly augmentedTask: string;
  readonly memories: readonly Memory[];
  readonly #trajectory: Message[] = [];
  #finalResponse = '';
  #review: FinishedRun['review'];
  /** The trace has been sent: later calls no longer change it. */
  kept = false;

  constructor(task: string, augmentedTask: string, memories: readonly Memory[]) {
    this.#task = task;
    this.augmentedTask = augmentedTask;
    this.memories = memories;
  }

  record(...messages: Message[]): void {
    this.#trajectory.push(...messages);
  }

  respond(text: string): void {
    this.#finalResponse = text;
  }

  pass(feedback = '', alpha?: number): void {
    this.#judge('pass', feedback, alpha);
  }

  fail(feedback = '', alpha?: number): void {
    this.#judge('fail', feedback, alpha);
  }

  #judge(result: Verdict, feedback: string, alpha: number | undefined): void {
    this.#review = { result, feedback, alpha };
  }

  finished(): FinishedRun {
    this.kept = true;
    const retrievedMemoryIds = this.memories.map(({ id }) => id);
    return {
      task: this.#task,
      trajectory: this.#trajectory,
      finalResponse: this.#finalResponse,
      retrievedMemoryIds,
      review: this.#review,
    };
  }
}
