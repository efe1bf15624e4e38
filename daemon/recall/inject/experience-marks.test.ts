import { expect, test } from 'vitest';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runDaemon, temporaryHome } from '../../testing/running-daemon.ts';

test('a prompt gets the experiences of similar tasks, the most worthy first, with failures and conflicts marked', async () => {
  const { call } = await runDaemon({ REFLECT_PROMPT_MIN_RELEVANCE: '0.1' }); // words alone say less than meaning
  const cwd = join(temporaryHome(), 'shop');
  mkdirSync(join(cwd, '.git'), { recursive: true });
  const add = (task: string, outcome: 'success' | 'failed', lessons: string, more: object = {}) =>
    call('experience.add', { cwd, task, outcome, lessons, category: 'git', ...more });
  await add('Rebase the release branch onto main', 'success', 'Rebase with --onto.', { quality: 2 });
  await add('Rebase the release branch with merges', 'success', 'Keep merges with --rebase-merges.', {
    quality: 5,
  });
  await add('Rebase the release branch in the pipeline', 'failed', 'The pipeline cannot force-push.');
  const { output } = await call('hook.run', {
    agent: 'claude-code',
    event: 'UserPromptSubmit',
    payload: {
      session_id: 's1',
      cwd,
      prompt: 'Rebase the release branch onto main with merges in the pipeline',
    },
  });
  const lines = output.split('\\n').filter((line) => line.startsWith('- '));
  expect(lines[0]).toMatch(/^- ⚠️ This failed before: ⚡ Experiences in git disagree: .*pipeline/);
  expect(lines[1]).toMatch(/^- ⚡ Experiences in git disagree: .*with merges/);
  expect(lines[2]).toMatch(/^- ⚡ Experiences in git disagree: .*onto main/);
});
