import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { DaemonError } from '#contract/errors.ts';
import { type Call, createClient, type Method, METHODS } from '#contract/methods.ts';
import { RECALL_WORKFLOW } from '#contract/modes.ts';
import type { Paths } from '../platform/paths.ts';
import { VERSION } from '../platform/version.ts';
import { connectTo } from './connect.ts';
import { startInBackground } from './daemon-control.ts';
import { spareNotes } from './spare-notes.ts';

/** What an agent may call, by its tool name; documentation and schemas come from the contract. */
const TOOLS: Readonly<Record<string, Method>> = {
  recall_index: 'recall.index',
  recall_timeline: 'recall.timeline',
  recall_hydrate: 'recall.hydrate',
  recall: 'recall.search',
  explain_recall: 'recall.explain',
  get_learning: 'learnings.get',
  add_learning: 'learnings.create',
  list_slots: 'slots.list',
  append_to_slot: 'slots.append',
  replace_slot: 'slots.replace',
  find_skills: 'skills.find',
  list_gaps: 'gaps.list',
};

export async function serveMcp(paths: Paths): Promise<void> {
  let call: Call | null = null;
  async function connected(): Promise<Call> {
    if (call) return call;
    const open = (await connectTo(paths)) ?? (await startInBackground(paths).then(() => connectTo(paths)));
    if (!open) throw new DaemonError('unreachable');
    call = createClient(async (method, input) => {
      const reply = await open.connection.send(method, input);
      if (!reply.ok && reply.code === 'unreachable') call = null; // the daemon was restarted: connect anew next time
      return reply;
    });
    return call;
  }

  serveStdio(() => {
    const server = new McpServer({ name: 'reflect', version: VERSION }, { instructions: instructions() });
    for (const [name, method] of Object.entries(TOOLS)) {
      const { doc, input } = METHODS[method];
      server.registerTool(name, { description: doc, inputSchema: input }, async (given: unknown) => {
        try {
          const result = await (await connected())(method, given as never); // validated by the daemon against the same schema
          return { content: [{ type: 'text' as const, text: JSON.stringify(spareNotes(result)) }] };
        } catch (error) {
          return { isError: true, content: [{ type: 'text' as const, text: error instanceof Error ? error.message : String(error) }] };
        }
      });
    }
    return server;
  });
  await new Promise((resolve) => process.stdin.once('close', resolve));
}

/** The workflow in the names an agent sees here. */
function instructions(): string {
  return Object.entries(TOOLS).reduce((text, [tool, method]) => text.replaceAll(method, tool), RECALL_WORKFLOW);
}
