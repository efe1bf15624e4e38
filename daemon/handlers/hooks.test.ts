import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runDaemon, temporaryHome } from '../testing/running-daemon.ts';

test('what a session starts with is put where each agent looks for it', { timeout: 60_000 }, async () => {
  const cwd = temporaryHome();
  execFileSync('git', ['init', '--quiet', cwd]);
  const { call } = await runDaemon();
  await call('learnings.create', { note: { title: 'Use pnpm here', scope: 'global' } });
  const told = async (agent: string) => JSON.parse((await call('hook.run', { agent, event: 'SessionStart', payload: { cwd } })).output) as object;
  const text = expect.stringContaining('Use pnpm here') as string;
  expect(await told('claude-code')).toEqual({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } });
  expect(await told('copilot-cli')).toEqual({ additionalContext: text });
});
