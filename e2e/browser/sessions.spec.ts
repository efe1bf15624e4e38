import type { Call } from '#contract/methods.ts';
import { accessibilityProblems, expect, test } from '../fixtures.ts';
import type { World } from '../world.ts';

const SESSION = '0f8a4c1e-0000-4000-8000-000000000002';

/**
 * A session of Claude Code starts in the test's repository and gets what is known; however long that takes on a busy
 * machine.
 */
async function startSession(call: Call, { agentsHome, repository }: World): Promise<void> {
  const payload = {
    session_id: SESSION,
    transcript_path: `${agentsHome}/new.jsonl`,
    cwd: repository,
    hook_event_name: 'SessionStart',
    source: 'startup',
  };
  const { output } = await call('hook.run', { agent: 'claude-code', event: 'SessionStart', payload });
  expect(output).toContain('Install with pnpm');
}

test('a learning lists the sessions it was injected into and their outcome; a session lists its learnings', async ({
  page,
  openUi,
  call,
  world,
}) => {
  const { learning } = await call('learnings.create', {
    note: { title: 'Use pnpm, never npm', rule: 'Install with pnpm.', scope: 'global' },
  });
  await openUi(page, `#/learnings/${learning.id}`);
  const detail = page.getByRole('region', { name: 'Learning' });
  await detail.getByRole('tab', { name: 'Used by' }).click();
  await expect(detail.getByText('Not injected into any session yet.')).toBeVisible();

  await startSession(call, world);
  await call('traces.create', {
    task: 'Install the packages',
    session: SESSION,
    retrievedMemoryIds: [learning.id],
    review: { result: 'pass' },
  });
  await expect(detail.getByText('injected into 1 session · helped in 1')).toBeVisible();
  await expect(detail.getByRole('listitem').filter({ hasText: 'Claude Code' })).toContainText(
    'at session start',
  );
  expect(await accessibilityProblems(page)).toEqual([]);

  await detail.getByRole('link', { name: /Claude Code/ }).click();
  await expect(page).toHaveURL(new RegExp(`#/sessions/${SESSION}$`));
  const session = page.getByRole('region', { name: 'Session', exact: true });
  await expect(page.getByRole('listbox').getByRole('option', { selected: true })).toContainText(
    '1 learning injected',
  );
  await expect(session).toContainText('live · Claude Code');
  await expect(session.getByRole('listitem').filter({ hasText: 'Use pnpm, never npm' })).toContainText(
    'helped',
  );
  expect(await accessibilityProblems(page)).toEqual([]);
  await session.getByRole('link', { name: 'Use pnpm, never npm' }).click();
  await expect(page.getByRole('heading', { name: 'Use pnpm, never npm' })).toBeVisible();
});

test('a session is found by its first request; its moments are kept and dismissed in place', async ({
  page,
  openUi,
  call,
  transcript,
}) => {
  transcript.human('Please add zod as a dependency of the shop.');
  transcript.agent({ type: 'text', text: 'I will add zod with npm.' });
  transcript.agent({ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'npm install zod' } });
  transcript.toolResult('toolu_1', 'added 1 package');
  transcript.human(
    "No, don't use npm here. Always use pnpm in this repository: npm writes a package-lock.json that breaks our CI.",
  );
  transcript.agent({ type: 'text', text: 'You are right, I use `pnpm` instead.' });
  transcript.human('Thanks. Now write a schema for the cart.');
  transcript.agent({ type: 'text', text: 'Here is the schema.' });
  await openUi(page, '#/sessions');
  const row = page
    .getByRole('listbox', { name: 'Sessions, latest first' })
    .getByRole('option')
    .filter({ hasText: 'Add zod as a dependency of the shop' });
  await expect(row).toContainText('Claude Code', { timeout: 30_000 });
  await expect(row).toContainText('moment');
  const search = page.getByRole('textbox', { name: 'Search sessions' });
  await search.fill('no such request');
  await expect(page.getByText('No session matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await row.click();

  const moment = page
    .getByRole('region', { name: 'Session', exact: true })
    .getByRole('listitem')
    .filter({ hasText: 'Always use pnpm' });
  await expect(moment).toContainText('kept', { timeout: 30_000 });
  await moment.getByText('Why it was captured').click();
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.keyboard.press('d');
  await expect.poll(async () => (await call('learnings.list', { status: 'archived' })).total).toBe(1);
  await expect(moment).toContainText('dismissed');
  await page.keyboard.press('z');
  await expect.poll(async () => (await call('learnings.list', { status: 'active' })).total).toBe(1);
  await expect(moment).toContainText('kept');
  const stored = (await call('capture.moments', {})).find(({ quote }) => quote.includes('Always use pnpm'));
  expect(stored?.state).toBe('kept');
  await page.keyboard.press('Shift+Z');
  await expect(moment).toContainText('dismissed');
  await page.keyboard.press('z');
  await expect(moment).toContainText('kept');

  await test.step('its learning shows what was said as the agent formatted it', async () => {
    await moment.getByRole('link', { name: 'Open the learning' }).click();
    const reply = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'You are right' });
    await expect(reply.locator('code')).toHaveText('pnpm');
    await page.goBack();
    await expect(moment).toBeVisible();
  });

  await page.keyboard.press('p');
  await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('Capture is paused');
  await expect.poll(async () => (await call('status', {})).capture).toBe('paused');
});

test.describe('with the demo', () => {
  test.use({ demo: true, viewport: { width: 1100, height: 300 } });

  test('another session is read from its title on', async ({ page, openUi, call }) => {
    await openUi(page, '#/sessions/08c4ed2b');
    const session = page.getByRole('region', { name: 'Session', exact: true });
    const top = () => session.evaluate((region) => region.scrollTop);
    const list = page.getByRole('listbox', { name: 'Sessions, latest first' });
    const selected = list.getByRole('option', { selected: true });
    await selected.click();
    await expect(session.getByText('Why it was captured')).toBeVisible();
    await session.evaluate((region) => region.scrollTo({ top: 9_999 }));
    expect(await top()).toBeGreaterThan(0);
    await test.step('news of it leaves the reader where they are', async () => {
      const { learningId } = (await call('capture.moments', { session: '08c4ed2b' }))[0] ?? {};
      await call('learnings.update', { id: learningId ?? '', patch: { status: 'candidate' } });
      await expect(session.getByRole('button', { name: 'Keep' })).toBeAttached();
      expect(await top()).toBeGreaterThan(0);
    });
    await page.keyboard.press('j');
    await expect.poll(top).toBe(0);
    await expect(session.getByRole('heading', { level: 2 })).toBeInViewport();

    const latest = list.locator('[aria-posinset="1"]');
    await page.keyboard.press('Home');
    await expect(latest).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('End');
    await expect(latest).toHaveCount(0);
    await expect(selected).toBeInViewport();
    await page.keyboard.press('Home');
    await expect(latest).toHaveAttribute('aria-selected', 'true');
  });
});
