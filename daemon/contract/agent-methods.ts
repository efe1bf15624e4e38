import * as z from 'zod';
import { AgentChange, AgentId, AgentState, Finding } from './agents.ts';
import { method } from './method.ts';

// Only which agent, never where: the caller has no say in what is written to.
const agent = z.strictObject({ agent: AgentId });

/** The agents of this machine and whether Reflect is plugged into them. Part of the one table of methods. */
export const AGENT_METHODS = {
  'agents.list': method(
    'Every agent that Reflect can be plugged into, whether it is here, and what of ours is in its configuration',
    z.strictObject({}),
    z.array(AgentState),
  ),
  'agents.preview': method(
    'What plugging in or out would change in the files of an agent; nothing changes',
    agent.extend({ action: z.enum(['connect', 'disconnect']).default('connect') }),
    AgentChange,
  ),
  'agents.connect': method('Plug Reflect into an agent, as `reflect install` does', agent, AgentChange),
  'agents.disconnect': method(
    'Take Reflect out of an agent, as `reflect uninstall` does',
    agent,
    AgentChange,
  ),
  'agents.check': method(
    'Run the hook and the MCP server of an agent as it would, as `reflect doctor` does',
    agent,
    z.array(Finding),
  ),
};
