import type { Agent, InstallContext } from './agent.ts';
import { AGENTS } from './all-agents.ts';
import { linked, readConfig } from './config/config-file.ts';
import { findProgram } from '../platform/find-program.ts';

/**
 * True if an agent can record a learning: it has our MCP server, for the user or the project, or the `reflect` command
 * is on the PATH.
 */
export function canLearn(id: string, projectRoot: string, context: InstallContext): boolean {
  if (findProgram('reflect', context.environment)) return true;
  const agent = AGENTS.find((known) => known.id === id);
  return (
    agent !== undefined && [null, projectRoot].some((project) => hasServer(agent, { ...context, project }))
  );
}

function hasServer(agent: Agent, context: InstallContext): boolean {
  return agent
    .targets(context)
    .filter(({ holds }) => holds.includes('MCP'))
    .some(({ file, edit }) => {
      try {
        const text = readConfig(linked(file));
        return text !== null && edit.isIn(text);
      } catch {
        return false; // a file the agent cannot read either
      }
    });
}
