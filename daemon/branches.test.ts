import { expect, test } from 'vitest';
import { gitRepository } from './testing/git-repository.ts';
import { runDaemon } from './testing/running-daemon.ts';

test('a session that starts on main after a merge finds what was learned on the branch', async () => {
  const { call } = await runDaemon();
  const { root, git, commit } = gitRepository();
  git('checkout', '--quiet', '-b', 'feat/tax');
  commit('tax.ts', 'tax\n');
  const { learning } = await call('learnings.learn', {
    rule: 'Rates in the tax engine are integers of basis points',
    cwd: root,
    branch: true,
  });
  expect((await call('learnings.get', { id: learning.id })).branch).toBe('feat/tax');
  git('checkout', '--quiet', 'main');
  git('merge', '--quiet', '--no-ff', '--no-edit', 'feat/tax');
  await call('hook.run', {
    agent: 'claude-code',
    event: 'SessionStart',
    payload: { session_id: 's', cwd: root },
  });
  const branchNow = async () => (await call('learnings.get', { id: learning.id })).branch;
  await expect.poll(branchNow).toBeNull();
  const [change] = await call('learnings.history', { id: learning.id });
  expect(change).toMatchObject({ kind: 'move', reason: 'branch feat/tax was merged into main' });
  const { hits } = await call('recall.search', { query: 'tax rates integers', cwd: root });
  expect(hits.map(({ learning: { id } }) => id)).toContain(learning.id);
});
