import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Call } from '#contract/methods.ts';
import type { Here } from './tool.ts';

const says = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
});

/** What a person may ask an agent to do with its memory, by one word. */
export function registerPrompts(
  server: McpServer,
  connected: () => Promise<Call>,
  here: () => Promise<Here>,
): void {
  server.registerPrompt(
    'recall-first',
    {
      title: 'Recall before you start',
      description: 'Puts a task together with what was learned about it',
      argsSchema: z.object({ task: z.string().describe('What is to be done') }),
    },
    async ({ task }) => {
      const { cwd } = await here();
      const { augmentedTask } = await (
        await connected()
      )('memories.augment', { task, ...(cwd ? { cwd } : {}) });
      return says(
        `${augmentedTask}\n\nBefore you begin, look with recall_index for what else was learned here; read with recall_hydrate only what bears on this.`,
      );
    },
  );
  server.registerPrompt(
    'keep-lessons',
    {
      title: 'Keep what this session taught',
      description: 'Has the agent write down its lessons and review what it was given',
    },
    () =>
      says(
        'Look back on this session. For each thing that had to be corrected, was found out the hard way or was decided, call create_memory once, with the mistake and what is right in plain words; leave out what anybody would know. Then call review with how the task ended.',
      ),
  );
  server.registerPrompt(
    'retry',
    {
      title: 'Try again, knowing why it failed',
      description: 'What the attempts of a loop have taught so far',
      argsSchema: z.object({ loopId: z.string().describe('The loop, as reflections_start named it') }),
    },
    async ({ loopId }) => says((await (await connected())('reflections.context', { loopId })).text),
  );
}
