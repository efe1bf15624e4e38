import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Call } from '#contract/methods.ts';
import type { WorkingFolder } from './working-folder.ts';

const promptOf = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
});

/** Prompts a person can pick in their agent. */
export function registerPrompts(
  server: McpServer,
  connected: () => Promise<Call>,
  here: () => Promise<WorkingFolder>,
): void {
  server.registerPrompt(
    'recall-first',
    {
      title: 'Recall before you start',
      description: 'Combines a task with the learnings about it',
      argsSchema: z.object({ task: z.string().describe('Your task') }),
    },
    async ({ task }) => {
      const { cwd } = await here();
      const { augmentedTask } = await (
        await connected()
      )('memories.augment', { task, ...(cwd ? { cwd } : {}) });
      return promptOf(
        `${augmentedTask}\n\nBefore you start, search for more with recall_index; read only the relevant notes with recall_hydrate.`,
      );
    },
  );
  server.registerPrompt(
    'keep-lessons',
    {
      title: 'Save the lessons of this session',
      description: 'Asks the agent to save its lessons and report the result',
    },
    () =>
      promptOf(
        'Look back on this session. For each correction, hard-won finding or decision, call learn once, with the rule, when it applies and why; leave out common knowledge. Then call review with the result of the task.',
      ),
  );
  server.registerPrompt(
    'retry',
    {
      title: 'Retry with the lessons so far',
      description: 'The lessons of the earlier attempts of a loop',
      argsSchema: z.object({ loopId: z.string().describe('The loop id from reflections_start') }),
    },
    async ({ loopId }) => promptOf((await (await connected())('reflections.context', { loopId })).text),
  );
}
