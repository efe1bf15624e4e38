import type { AgentChange, AgentId, AgentState, Finding } from '#contract/agents.ts';
import type { Resource, Scope } from '../query/queries.svelte.ts';
import { asError } from '../ui/error.ts';

export type AgentAction = 'connect' | 'disconnect';
export type AgentPlan = { agent: AgentState; action: AgentAction; change: AgentChange };

/** Disconnected, connected, partly connected (a file is missing or from another Reflect), or unknown. */
export function connectionState({ files }: AgentState): 'out' | 'in' | 'between' | 'unreadable' {
  if (files.some(({ state }) => state === 'unreadable')) return 'unreadable';
  if (files.every(({ state }) => state === 'absent')) return 'out';
  return files.every(({ state }) => state === 'in-place') ? 'in' : 'between';
}

/** The agents of this machine; nothing is written to one before its plan was seen. */
export class AgentsState {
  readonly #scope: Scope;
  readonly list: Resource<'agents.list'>;
  plan = $state.raw<AgentPlan | null>(null);
  busy = $state.raw<{ id: AgentId; checking: boolean } | null>(null);
  problems = $state.raw<Partial<Record<AgentId, string>>>({});
  done = $state.raw<Partial<Record<AgentId, AgentChange>>>({});
  findings = $state.raw<Partial<Record<AgentId, Finding[]>>>({});

  constructor(scope: Scope) {
    this.#scope = scope;
    this.list = scope.resource('agents.list');
  }

  load(): Promise<void> {
    return this.list.ask({});
  }

  /** Shows what would be written. */
  preview(agent: AgentState, action: AgentAction): Promise<void> {
    return this.#work(agent.id, async () => {
      this.plan = {
        agent,
        action,
        change: await this.#scope.call('agents.preview', { agent: agent.id, action }),
      };
    });
  }

  /** Does what the plan shows; whether it was done. */
  async carryOut(): Promise<boolean> {
    const { plan } = this;
    if (!plan) return false;
    this.plan = null;
    const { id } = plan.agent;
    await this.#work(id, async () => {
      this.done = { ...this.done, [id]: await this.#scope.call(`agents.${plan.action}`, { agent: id }) };
    });
    await this.load();
    return this.problems[id] === undefined;
  }

  check({ id }: AgentState): Promise<void> {
    return this.#work(
      id,
      async () => {
        this.findings = { ...this.findings, [id]: await this.#scope.call('agents.check', { agent: id }) };
      },
      true,
    );
  }

  /** Earlier results for this agent no longer hold. */
  async #work(id: AgentId, work: () => Promise<void>, checking = false): Promise<void> {
    const without = <T>(record: Partial<Record<AgentId, T>>) => ({ ...record, [id]: undefined });
    [this.busy, this.problems, this.done, this.findings] = [
      { id, checking },
      without(this.problems),
      without(this.done),
      without(this.findings),
    ];
    try {
      await work();
    } catch (error) {
      this.problems = { ...this.problems, [id]: asError(error).message };
    } finally {
      this.busy = null;
    }
  }
}
