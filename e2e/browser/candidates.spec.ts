import { accessibilityProblems, expect, test } from '../fixtures.ts';
import { beCorrected } from '../world.ts';

test('candidates are kept, reworded and dropped by one key, several at once, with undo; agents get none before', async ({
  page,
  openUi,
  call,
}) => {
  const wait = async (title: string, confidence: number) =>
    (
      await call('learnings.create', {
        note: {
          title,
          confidence,
          scope: 'global',
          status: 'candidate',
          metadata: { judged: { against: ['names nothing'] } },
          provenance: { session: 'a-session', quote: `no, ${title}` },
        },
      })
    ).learning.id;
  const ids = [
    await wait('Use it always', 0.45),
    await wait('Feed the zebra at noon', 0.4),
    await wait('That again', 0.2),
    await wait('Now it works', 0.1),
  ];
  const statuses = async () =>
    Promise.all(ids.map(async (id) => (await call('learnings.get', { id })).status));
  await openUi(page, '#/inbox');
  const rows = page.getByRole('listbox', { name: 'Decisions' }).getByRole('option');
  await expect(rows).toHaveText([/Use it always/, /Feed the zebra/, /That again/, /Now it works/]);
  await expect(page.getByText('Why it waits')).toBeVisible();
  await expect(page.getByText('names nothing')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Show it in its session' })).toBeVisible();
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Inbox' })).not.toContainText('4');
  expect(await accessibilityProblems(page)).toEqual([]);

  await test.step('in other words', async () => {
    await page.keyboard.press('e');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Use pnpm in every workspace');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect
      .poll(() => call('learnings.get', { id: ids[0] ?? '' }))
      .toMatchObject({
        title: 'Use pnpm in every workspace',
        status: 'active',
      });
  });

  await test.step('as it is', async () => {
    await expect(rows).toHaveCount(3);
    await page.keyboard.press('y');
    await expect.poll(statuses).toEqual(['active', 'active', 'candidate', 'candidate']);
  });

  await test.step('two at once, and back', async () => {
    await expect(rows).toHaveCount(2);
    await page.keyboard.press('X');
    await expect(page.getByRole('button', { name: 'Drop 2' })).toBeVisible();
    await page.keyboard.press('d');
    await expect(page.getByText('All caught up')).toBeVisible();
    await expect.poll(statuses).toEqual(['active', 'active', 'rejected', 'rejected']);
    await page.keyboard.press('z');
    await expect(rows).toHaveCount(2);
    expect(await statuses()).toEqual(['active', 'active', 'candidate', 'candidate']);
  });
});

test('what candidates taught the judge is shown in Settings and forgotten on request', async ({
  page,
  openUi,
  call,
  transcript,
}) => {
  await call('config.set', { name: 'REFLECT_LEARNING_BAR', value: 1 });
  beCorrected(transcript);
  await expect
    .poll(async () => (await call('status', {})).candidates, { timeout: 30_000 })
    .toBeGreaterThan(0);
  await openUi(page, '#/inbox');
  await expect(page.getByText('Why it was noticed')).toBeVisible();
  await expect.poll(async () => (await call('status', {})).queue).toBe(0);
  await page.keyboard.press('X');
  await page.keyboard.press('d');
  await expect(page.getByText('All caught up')).toBeVisible();
  await page.evaluate(() => (location.hash = '#/settings?tab=judge'));
  await expect(page.getByRole('list', { name: 'Shifts' }).getByRole('listitem').first()).toContainText(
    'less easily a learning',
  );
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Reset the judge' }).click();
  await expect(page.getByText('you have not kept or dropped a candidate yet')).toBeVisible();
});
