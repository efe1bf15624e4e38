import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { opencodePlugin } from './opencode-plugin.ts';

interface Part {
  id: string;
  type: string;
  text: string;
  synthetic?: boolean;
}

interface Hooks {
  'chat.message'(
    input: { sessionID: string },
    output: { message: { id: string }; parts: Part[] },
  ): Promise<void>;
  event(input: { event: { type: string; properties: object } }): Promise<void>;
  'tool.execute.before'?(input: object, output: { args: object }): Promise<void>;
  'tool.execute.after'?(input: object, output: { output: string }): Promise<void>;
}

/** The plugin as OpenCode loads it, with a hook that records its requests and gives scripted answers. */
async function loaded(
  answer: string,
  withTools = false,
): Promise<{ hooks: Hooks; asked(): { event: string; agent: string; payload: object }[] }> {
  const folder = tempFolder();
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const script = join(folder, 'reflect.cjs');
  writeFileSync(
    script,
    `
    const fs = require('node:fs');
    const [, , , event, agent] = process.argv;
    fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify({ event, agent, payload: JSON.parse(fs.readFileSync(0, 'utf8')) }) + '\\n');
    ${answer}`,
  );
  const plugin = join(folder, 'reflect.mjs');
  writeFileSync(
    plugin,
    opencodePlugin(
      { node: process.execPath, script, environment: {}, platform: process.platform, shim: '' },
      withTools,
    ),
  );
  const { ReflectPlugin } = (await import(pathToFileURL(plugin).href)) as {
    ReflectPlugin(input: { directory: string }): Promise<Hooks>;
  };
  const asked = () =>
    readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { event: string; agent: string; payload: object });
  return { hooks: await ReflectPlugin({ directory: '/home/ada/shop' }), asked };
}

const SAYS = `if (event === 'SessionStart') process.stdout.write(JSON.stringify({ hookSpecificOutput: { additionalContext: 'Use pnpm here.' } }));`;
const prompt = (): Part[] => [{ id: 'prt_1', type: 'text', text: 'Install it' }];

test('the first prompt of a session gets the session-start text as a separate part; the second does not', async () => {
  const { hooks, asked } = await loaded(SAYS);
  const [first, second] = [prompt(), prompt()];
  await hooks['chat.message']({ sessionID: 'ses_1' }, { message: { id: 'msg_1' }, parts: first });
  await hooks['chat.message']({ sessionID: 'ses_1' }, { message: { id: 'msg_2' }, parts: second });
  expect(first).toEqual([
    ...prompt(),
    {
      id: 'prt_1z',
      sessionID: 'ses_1',
      messageID: 'msg_1',
      type: 'text',
      text: 'Use pnpm here.',
      synthetic: true,
    },
  ]);
  expect(second).toEqual(prompt());
  expect(asked().map(({ event, agent }) => [event, agent])).toEqual([
    ['SessionStart', 'opencode'],
    ['UserPromptSubmit', 'opencode'],
    ['UserPromptSubmit', 'opencode'],
  ]);
  expect(asked()[1]?.payload).toMatchObject({
    session_id: 'ses_1',
    cwd: '/home/ada/shop',
    prompt: 'Install it',
  });
});

test.each(['process.exit(1)', 'process.stdout.write("not JSON")', 'process.kill(process.pid)'])(
  'a hook that does %s changes nothing',
  async (answer) => {
    const { hooks } = await loaded(answer);
    const parts = prompt();
    await hooks['chat.message']({ sessionID: 'ses_1' }, { message: { id: 'msg_1' }, parts });
    expect(parts).toEqual(prompt());
  },
);

test('idle and deleted sessions are reported, other events are not', async () => {
  const { hooks, asked } = await loaded('');
  await hooks.event({ event: { type: 'message.updated', properties: { sessionID: 'ses_1' } } });
  await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 'ses_1' } } });
  await hooks.event({ event: { type: 'session.deleted', properties: { info: { id: 'ses_1' } } } });
  await expect
    .poll(() =>
      asked()
        .map(({ event }) => event)
        .sort(),
    )
    .toEqual(['SessionEnd', 'Stop']);
});

test('tool calls are reported only with --tools', async () => {
  expect((await loaded('')).hooks['tool.execute.before']).toBeUndefined();
  const { hooks, asked } = await loaded('', true);
  await hooks['tool.execute.before']?.(
    { tool: 'bash', sessionID: 'ses_1', callID: 'c1' },
    { args: { command: 'ls' } },
  );
  expect(asked()).toMatchObject([
    { event: 'PreToolUse', payload: { tool_name: 'bash', tool_input: { command: 'ls' } } },
  ]);
});

test('a warning about a tool is put in front of its result, once', async () => {
  const { hooks } = await loaded(
    `if (event === 'PreToolUse') process.stdout.write(JSON.stringify({ hookSpecificOutput: { additionalContext: 'Use pnpm here.' } }));`,
    true,
  );
  const call = { tool: 'bash', sessionID: 'ses_1', callID: 'c1' };
  const results = [{ output: 'done' }, { output: 'done' }];
  await hooks['tool.execute.before']?.(call, { args: { command: 'npm install' } });
  for (const result of results) await hooks['tool.execute.after']?.({ ...call, args: {} }, result);
  expect(results.map(({ output }) => output)).toEqual(['Use pnpm here.\n\ndone', 'done']);
});
