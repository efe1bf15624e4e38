import { McpServer } from '@modelcontextprotocol/server';
import { LEARN_WHEN } from '#contract/learn.ts';
import type { Call } from '#contract/methods.ts';
import { ABOUT_ANSWERS, RECALL_WORKFLOW } from '#contract/modes.ts';
import { VERSION } from '../platform/version.ts';
import { registerPrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import { registerTools } from './tool.ts';
import { TOOLS } from './tools.ts';
import { type WorkingFolder, workingFolder } from './working-folder.ts';

/** The workflow under the names an agent sees here, and the last step of a task. */
const INSTRUCTIONS = `${RECALL_WORKFLOW.replaceAll(/\brecall\.(index|timeline|hydrate)\b/g, 'recall_$1')}
${LEARN_WHEN}: call learn at once. When the work is done: report the result with review, or save the task with memories_create.
${ABOUT_ANSWERS}`;

/** Reflect as an MCP server, for every transport. */
export function createMcpServer(connected: () => Promise<Call>, { cwd }: WorkingFolder): McpServer {
  const server = new McpServer(
    { name: 'reflect', title: 'Reflect', version: VERSION },
    { instructions: INSTRUCTIONS },
  );
  const here = workingFolder(server, cwd);
  registerTools(server, TOOLS, connected, here);
  registerResources(server, connected, here);
  registerPrompts(server, connected, here);
  return server;
}
