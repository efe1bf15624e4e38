import type * as z from 'zod';
import { McpServer } from '@modelcontextprotocol/server';
import type { Call } from '#contract/methods.ts';
import { RECALL_WORKFLOW } from '#contract/modes.ts';
import { VERSION } from '../platform/version.ts';
import { lean } from './lean.ts';
import { MEMORY_TOOLS } from './memory-tools.ts';
import { registerPrompts } from './prompts.ts';
import { RECALL_TOOLS } from './recall-tools.ts';
import { registerResources } from './resources.ts';
import { SLOT_TOOLS } from './slot-tools.ts';
import type { Here, Tool } from './tool.ts';
import { whereabouts } from './whereabouts.ts';

const TOOLS: Readonly<Record<string, Tool>> = { ...RECALL_TOOLS, ...MEMORY_TOOLS, ...SLOT_TOOLS };

/** The workflow in the names an agent sees here, and what to do when the work is done. */
const INSTRUCTIONS = `${RECALL_WORKFLOW.replaceAll(/\brecall\.(index|timeline|hydrate)\b/g, 'recall_$1')}
When the work is done: create_memory for what it taught, and review with how it ended.`;

/** Reflect as an MCP server, whichever way its client came. */
export function createMcpServer(connected: () => Promise<Call>, { cwd }: Here): McpServer {
  const server = new McpServer(
    { name: 'reflect', title: 'Reflect', version: VERSION },
    { instructions: INSTRUCTIONS },
  );
  const here = whereabouts(server, cwd);
  for (const [
    name,
    { title, description, input, readOnly = false, destructive = false, idempotent = readOnly, run },
  ] of Object.entries(TOOLS)) {
    const annotations = {
      title,
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: false,
    };
    server.registerTool(
      name,
      { title, description, inputSchema: input, annotations },
      async (given: z.output<typeof input>) => {
        try {
          return answer(JSON.stringify(lean(await run(await connected(), given, await here()))));
        } catch (error) {
          return { ...answer(error instanceof Error ? error.message : String(error)), isError: true };
        }
      },
    );
  }
  registerResources(server, connected, here);
  registerPrompts(server, connected, here);
  return server;
}

const answer = (text: string) => ({ content: [{ type: 'text' as const, text }] });
