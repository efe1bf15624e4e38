import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Call, createClient, type Input, type Output, type Send } from '#contract/methods.ts';
import type { Memory, Trace, Verdict } from '#contract/outcomes.ts';
import { messageOf, DaemonError } from '#contract/errors.ts';
import { readReply } from '#contract/rpc.ts';
import { RunFile } from '#contract/run-file.ts';
import { runFolder } from '#contract/run-folder.ts';
import { type Run, TracedRun } from './traced-run.ts';

export { DaemonError } from '#contract/errors.ts';
export type { Memory, Run, Trace };

type Place = { cwd: string } | { project: string };

/** Memories belong to a project: that of the current folder, of `cwd`, or `project` by its id. */
export interface ClientOptions {
  home?: string;
  cwd?: string;
  project?: string;
  call?: Call;
}

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
  readonly #place: Place;

  /** Connects to the daemon of the default home, of another home, or over a custom transport. */
  constructor({ home, call, project, cwd = process.cwd() }: ClientOptions = {}) {
    this.call = call ?? createClient(httpSend(home));
    this.#place = project === undefined ? { cwd } : { project };
  }

  async queryMemories(query: Input<'memories.query'>): Promise<Memory[]> {
    return (await this.call('memories.query', { ...this.#place, ...query })).memories;
  }

  augmentWithMemories(query: Input<'memories.augment'>): Promise<Output<'memories.augment'>> {
    return this.call('memories.augment', { ...this.#place, ...query });
  }

  async createMemory(memory: Input<'memories.create'>): Promise<Memory> {
    return (await this.call('memories.create', { ...this.#place, ...memory })).memory;
  }

  async createTrace(trace: Input<'traces.create'>): Promise<Trace> {
    return (await this.call('traces.create', { ...this.#place, ...trace })).trace;
  }

  async reviewTrace(
    id: string,
    result: Verdict,
    review: { alpha?: number; feedback?: string } = {},
  ): Promise<Trace> {
    return (await this.call('traces.review', { id, result, ...review })).trace;
  }

  /**
   * Runs the work with its memories and records a trace, including the ids of those memories. A run that throws is
   * recorded as a failure and the error is rethrown; a run that calls neither pass nor fail is recorded without a
   * review.
   */
  async trace<T>({ metadata, ...query }: TraceOptions, work: (run: Run) => T | Promise<T>): Promise<T> {
    const { memories, augmentedTask } = await this.augmentWithMemories(query);
    const run = new TracedRun(query.task, augmentedTask, memories);
    const { cwd, project, branch, session } = { ...this.#place, ...query };
    const keep = () =>
      this.call('traces.create', { ...run.finished(), cwd, project, branch, session, metadata });
    try {
      const result = await work(run);
      await keep();
      return result;
    } catch (error) {
      if (!run.kept) {
        run.fail(messageOf(error));
        await keep().catch(() => null); // the work's own error matters more
      }
      throw error;
    }
  }
}

/**
 * Sends to the daemon of a Reflect home over HTTP on this machine. The run file is read for every call, so a restart of
 * the daemon is transparent.
 */
function httpSend(home = process.env.REFLECT_HOME || join(homedir(), '.reflect')): Send {
  let id = 0;
  return async (method, params) => {
    const { port, token } = readRunFile(home);
    try {
      const response = await fetch(`http://127.0.0.1:${port}/rpc`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
      });
      return readReply(await response.json()).reply;
    } catch (error) {
      throw new DaemonError('unreachable', `${(error as Error).message}; \`reflect start\` starts it`);
    }
  };
}

function readRunFile(home: string): RunFile {
  try {
    return RunFile.parse(JSON.parse(readFileSync(join(runFolder(home), 'daemon.json'), 'utf8')));
  } catch {
    throw new DaemonError('unreachable', `no daemon is running for ${home}; \`reflect start\` starts it`);
  }
}
