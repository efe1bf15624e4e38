import { expect, test } from '../fixtures.ts';
import { beCorrected, sessionStart } from '../world.ts';

test('a correction in a transcript reaches the CLI, the next session, the UI and quick-search', async ({
  page,
  openUi,
  transcript,
  cli,
  call,
  world,
}) => {
  await openUi(page);
  await expect(page.getByText('Nothing learned yet')).toBeVisible();
  const rows = page.getByRole('listbox', { name: 'Learnings' }).getByRole('option');

  beCorrected(transcript);

  await test.step('the UI shows it by itself', async () => {
    await expect(rows).toContainText(['pnpm'], { timeout: 30_000 });
  });

  await test.step('it says where it came from', async () => {
    const {
      items: [row],
    } = await call('learnings.list', { status: 'active' });
    if (!row) throw new Error('nothing was learned');
    const learning = await call('learnings.get', { id: row.id });
    expect(learning).toMatchObject({
      provenance: { agent: 'claude-code', session: transcript.session, transcript: transcript.file },
    });
    expect(learning.provenance.quote).toContain('pnpm');
    expect(learning.rule).toContain('pnpm');
    const [project] = await call('projects.list', {});
    expect(project).toMatchObject({ name: 'shop', root: world.repository, learnings: 1 });
    await rows.first().click();
    const detail = page.getByRole('region', { name: 'Learning' });
    await expect(detail).toContainText('Claude Code');
    // The words are shown where they were said, and not once more above.
    await expect(detail.getByRole('listitem').filter({ hasText: 'source of this learning' })).toContainText(
      'Always use pnpm in this repository',
    );
    await expect(detail.getByText('What triggered it')).toHaveCount(0);
  });

  await test.step('reflect search finds it', async () => {
    await expect
      .poll(async () => (await cli('search', 'which package manager do we use')).stdout)
      .toContain('pnpm');
  });

  await test.step('the next session starts with it', async () => {
    await expect.poll(() => sessionStart(world)).toContain('pnpm');
  });

  await test.step('quick-search finds it', async () => {
    await page.goto(new URL('quick-search.html', page.url()).href);
    await page.getByRole('combobox').fill('pnpm');
    await expect(page.getByRole('option').first()).toContainText('pnpm');
  });
});

test('a secret in a transcript never reaches the knowledge base', async ({
  transcript,
  call,
  daemon,
  cli,
}) => {
  expect(daemon.pid()).toBeGreaterThan(0);
  const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
  transcript.human('Push the release.');
  transcript.agent({ type: 'text', text: 'I push it with npm publish.' });
  transcript.human(
    `No, don't use npm publish. Always use pnpm publish, with the token ${secret} from the vault.`,
  );
  transcript.agent({ type: 'text', text: 'Understood, pnpm publish it is.' });
  transcript.human('Thanks. Now tag it.');
  await expect.poll(async () => (await call('learnings.list', {})).total, { timeout: 30_000 }).toBe(1);
  const { items } = await call('learnings.list', {});
  const learning = await call('learnings.get', { id: items[0]?.id ?? '' });
  expect(JSON.stringify(learning)).not.toContain(secret);
  expect((await cli('search', 'publish', '--json')).stdout).not.toContain(secret);
  const { redactions } = await call('status', {});
  expect(Object.values(redactions).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
});

test('the hook says nothing and succeeds when no daemon runs', async ({ world }) => {
  expect(await sessionStart(world)).toBe('');
});
