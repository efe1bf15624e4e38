import { accessibilityProblems, expect, test } from '../fixtures.ts';

test.use({ demo: true });

test('a question is traced step by step, compared with a step off, and shared as a link', async ({
  page,
  openUi,
  call,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // Until every vector is there, the order of an answer still changes.
  await expect
    .poll(async () => (await call('status', {})).index, { timeout: 60_000 })
    .toMatchObject({ waiting: 0 });
  const query = 'how should tests be run here?';
  const { hits } = await call('recall.explain', { query, global: true, knobs: { RECALL_CACHE: false } });
  await openUi(page, '#/lab');
  await page.getByRole('button', { name: 'Try an example' }).click();
  const answer = page.getByRole('region', { name: 'What the agent gets' }).getByRole('listitem');
  await expect(answer).toHaveCount(hits.length);
  await expect(answer.first()).toContainText(hits[0]?.learning.title ?? '');
  expect(await accessibilityProblems(page)).toEqual([]);

  await test.step('a candidate tells what became of it', async () => {
    await answer.first().getByRole('button').click();
    await expect(page.getByRole('tabpanel').getByRole('rowheader', { name: 'fuse.adaptive' })).toBeVisible();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  await test.step('a step that is switched off opens a second lane', async () => {
    const steps = page.getByRole('list', { name: 'Steps' });
    await steps.getByRole('button', { name: /^dates/ }).click();
    await expect(page.getByRole('tabpanel').getByRole('heading', { level: 3 })).toHaveText('query.dates R6');
    await steps.getByRole('button', { name: /^words/ }).click();
    await page.keyboard.press('t');
    await expect(page.getByRole('region', { name: 'B, with RECALL_BM25_ARM = off' })).toBeVisible();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Answer' }).click();
    await expect(page.getByRole('region', { name: 'Lane B' }).getByRole('listitem').first()).toBeVisible();
  });

  await test.step('the link opens the same comparison elsewhere', async () => {
    await page.getByRole('main').focus();
    await page.keyboard.press('s');
    await expect(page.getByText('Link copied')).toBeVisible();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await context.newPage(); // which no one-time link opens: the first tab lets it in
    await other.goto(link);
    await expect(other.getByRole('textbox', { name: 'Question' })).toHaveValue(query);
    await expect(other.getByRole('region', { name: 'B, with RECALL_BM25_ARM = off' })).toBeVisible();
    await other.close();
  });

  await test.step('everything can be taken along as JSON', async () => {
    await page.getByRole('main').focus();
    await page.keyboard.press('c');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('"trace"');
    const shared = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as {
      knobs: object;
      first: { hits: unknown[] };
      second: { hits: unknown[] };
    };
    expect(shared.knobs).toEqual({ RECALL_BM25_ARM: false });
    expect(shared.first.hits).toHaveLength(hits.length);
    expect(shared.second.hits.length).toBeGreaterThan(0);
  });

  await test.step('the block is what a session would be given', async () => {
    await page.getByRole('tab', { name: 'What the agent reads' }).click();
    await expect(page.getByRole('tabpanel').locator('pre')).not.toBeEmpty();
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});
