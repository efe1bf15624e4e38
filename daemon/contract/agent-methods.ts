import * as z from 'zod';
import { AgentChange, AgentId, AgentState, Finding } from './agents.ts';
import { method } from './method.ts';

// The caller names the agent, never a path: it must not choose which files are written.
const agent = z.strictObject({ agent: AgentId });

/** The agents of this machine and their connection to Reflect. Part of the one table of methods. */
export const AGENT_METHODS = {
  'agents.list': method(
    'List supported agents, whether they are installed, and whether Reflect is in their configuration',
    z.strictObject({}),
    z.array(AgentState),
  ),
  'agents.preview': method(
    'Preview what connecting or disconnecting an agent would change in its files',
    agent.extend({ action: z.enum(['connect', 'disconnect']).default('connect') }),
    AgentChange,
  ),
  'agents.connect': method('Connect an agent, as `reflect install` does', agent, AgentChange),
  'agents.disconnect': method('Disconnect an agent, as `reflect uninstall` does', agent, AgentChange),
  'agents.check': method(
    'Run the hook and the MCP server the way the agent would, as `reflect doctor` does',
    agent,
    z.array(Finding),
  ),
};
