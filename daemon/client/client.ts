import { type Call, createClient, type Input, type Output } from '#contract/methods.ts';
import type { Memory, Trace, Verdict } from '#contract/outcomes.ts';
import { httpSend } from './transport.ts';
import { type Run, TracedRun } from './traced-run.ts';

export type { Run };
export type { Memory, Trace };

/** The task of a traced run and the options for its memory search. */
export type TraceOptions = Input<'memories.query'> & { metadata?: Input<'traces.create'>['metadata'] };

/**
 * Memories for an agent written in TypeScript:
 *
 *     const reflect = new ReflectClient();
 *     await reflect.trace({ task: 'Cancel a reservation' }, async (run) => {
 *       const answer = await model(run.augmentedTask);
 *       run.record({ role: 'assistant', content: answer });
 *       run.pass();
 *     });
 */
export class ReflectClient {
  /** Every method of the daemon, typed. */
  readonly call: Call;

  /** Connects to the daemon of the default home, of another home, or over a custom transport. */
  constructor({ home, call }: { home?: string; call?: Call } = {}) {
    this.call = call ?? createClient(httpSend(home));
  }

  async queryMemories(query: Input<'memories.query'>): Promise<Memory[]> {
    return (await this.call('memories.query', query)).memories;
  }

  augmentWithMemories(query: Input<'memories.augment'>): Promise<Output<'memories.augment'>> {
    return this.call('memories.augment', query);
  }

  async createMemory(memory: Input<'memories.create'>): Promise<Memory> {
    return (await this.call('memories.create', memory)).memory;
  }

  async createTrace(trace: Input<'traces.create'>): Promise<Trace> {
    return (await this.call('traces.create', trace)).trace;
  }

  async reviewTrace(
    id: string,
    result: Verdict,
    review: { alpha?: number; feedback?: string } = {},
  ): Promise<Trace> {
    return (await this.call('traces.review', { id, result, ...review })).trace;
  }

  /**
   * Runs the work with its memories and records a trace, including the ids of those memories. A run that throws is recorded as a
   * failure and the error is rethrown; a run that calls neither pass nor fail is recorded without a review.
   */
  async trace<T>({ metadata, ...query }: TraceOptions, work: (run: Run) => T | Promise<T>): Promise<T> {
    const { memories, augmentedTask } = await this.augmentWithMemories(query);
    const run = new TracedRun(query.task, augmentedTask, memories);
    const { cwd, project, branch, session } = query;
    const keep = () =>
      this.call('traces.create', { ...run.finished(), cwd, project, branch, session, metadata });
    try {
      const result = await work(run);
      await keep();
      return result;
    } catch (error) {
      if (!run.kept) {
        run.fail(error instanceof Error ? error.message : String(error));
        await keep().catch(() => null); // the work's own error matters more
      }
      throw error;
    }
  }
}
