import * as z from 'zod';
import { AgentChange, AgentId, AgentState, Finding } from './agents.ts';
import { method } from './method.ts';

// Only which agent, never where: the caller has no say in what is written to.
const agent = z.strictObject({ agent: AgentId });

/** The agents of this machine and their connection to Reflect. Part of the one table of methods. */
export const AGENT_METHODS = {
  'agents.list': method(
    'Every agent that Reflect supports: whether it is on this machine, and our entries in its configuration',
    z.strictObject({}),
    z.array(AgentState),
  ),
  'agents.preview': method(
    'Preview what connecting or disconnecting an agent would change in its files',
    agent.extend({ action: z.enum(['connect', 'disconnect']).default('connect') }),
    AgentChange,
  ),
  'agents.connect': method('Connect an agent, as `reflect install` does', agent, AgentChange),
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
