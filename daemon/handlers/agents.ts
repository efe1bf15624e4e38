import type { AgentId, AgentState } from '#contract/agents.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Handlers } from '#contract/methods.ts';
import type { Agent } from '../agents/agent.ts';
import { AGENTS } from '../agents/all-agents.ts';
import { checkAgents, statesOf } from '../agents/checkup.ts';
import { isPresent } from '../agents/install.ts';
import { connectAgent, disconnectAgent } from '../agents/connect.ts';
import { InstallError } from '../agents/problems.ts';
import { InstallRecords } from '../agents/records.ts';
import type { DaemonParts } from './daemon-parts.ts';

export function agentHandlers({ paths, installContext: context }: DaemonParts) {
  const records = new InstallRecords(paths.home);
  return {
    'agents.list': () => AGENTS.map(stateOf),
    'agents.preview': ({ agent, action }) =>
      refusing(() =>
        (action === 'connect' ? connectAgent : disconnectAgent)(agentOf(agent), context, records, true),
      ),
    'agents.connect': ({ agent }) => refusing(() => connectAgent(agentOf(agent), context, records, false)),
    'agents.disconnect': ({ agent }) =>
      refusing(() => disconnectAgent(agentOf(agent), context, records, false)),
    'agents.check': ({ agent }) => checkAgents([agentOf(agent)], context),
  } satisfies Partial<Handlers>;

  function stateOf(agent: Agent): AgentState {
    const files = statesOf(agent, context);
    const isIn = files.some(({ state }) => state === 'in-place');
    return {
      id: agent.id,
      name: agent.name,
      present: isPresent(agent, context),
      folder: agent.folder(context),
      files,
      waitsFor: (isIn && agent.waitsFor?.(context)) || null,
    };
  }
}

function agentOf(id: AgentId): Agent {
  const agent = AGENTS.find((each) => each.id === id);
  if (!agent) throw new DaemonError('not-found', id);
  return agent;
}

/** The installer's refusal may reach the person as it is: it names only their own configuration. */
function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InstallError ? new DaemonError('agent-unchanged', error.message) : error;
  }
}
