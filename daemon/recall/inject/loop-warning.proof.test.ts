import { expect, test } from 'vitest';
import { ClaudeSession } from '../../testing/claude-session.ts';
import { runDaemon, workingTree } from '../../testing/running-daemon.ts';
import { putTranscript, transcriptPath } from '../../testing/transcript.ts';

/** A session of Claude Code that has just made these calls, as its transcript and its hooks tell the daemon. */
async function atWork(files: string[], knobs: Record<string, string> = {}) {
  const daemon = await runDaemon(knobs);
  const cwd = workingTree();
  const session = new ClaudeSession({ cwd, at: Date.now() - 60_000 });
  const path = transcriptPath(daemon, session);
  const calls = files.map((file_path) => session.toolCall('Read', { file_path })).join('');
  putTranscript(path, session.human('Find out why the totals differ') + calls);
  const hook = async (event: string, more: object = {}) => {
    const payload = { session_id: session.id, cwd, transcript_path: path, ...more };
    return (await daemon.call('hook.run', { agent: 'claude-code', event, payload })).output;
  };
  await hook('PostToolUse', { tool_name: 'Read' });
  return {
    id: session.id,
    tool: () => hook('PreToolUse', { tool_name: 'Read', tool_input: { file_path: 'a.ts' } }),
    prompt: () => hook('UserPromptSubmit', { prompt: 'go on with the next step, please' }),
    troubles: () => daemon.call('capture.troubles', { session: session.id }),
  };
}

const LOOP = ['a.ts', 'a.ts', 'a.ts'];

test('SG5: an agent that goes in circles is warned before its next tool call, once', async () => {
  const { id, tool, prompt, troubles } = await atWork(LOOP);
  await expect.poll(troubles).toMatchObject([{ session: id, kind: 'loop' }]);
  expect(await tool()).toMatch(
    /You are going in circles \(the same call 3 times: Read .*a\.ts.*\)\. Say what you expected/,
  );
  expect(await tool()).toBe('');
  expect(await prompt()).not.toContain('in circles');
});

test('SG5: it is warned with the next prompt where there are no tool hooks; switched off, never', async () => {
  const on = await atWork(LOOP);
  await expect.poll(on.troubles).toHaveLength(1);
  expect(await on.prompt()).toContain('You are going in circles');
  const off = await atWork(LOOP, { REFLECT_LOOP_WARNING: 'false' });
  await expect.poll(off.troubles).toHaveLength(1);
  expect(await off.prompt()).not.toContain('in circles');
});
