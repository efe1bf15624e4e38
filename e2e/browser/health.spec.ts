import { accessibilityProblems, expect, test } from '../fixtures.ts';

test.use({ demo: true });

test('Status says what is missing, and its figures update by themselves', async ({ page, openUi, call }) => {
  test.slow();
  await page.addInitScript(() => localStorage.setItem('reflect.advanced', 'true'));
  await openUi(page, '#/health');
  await expect(page).toHaveURL(/#\/settings\?tab=status/);
  const missing = 'No transcripts found yet';
  await expect(page.getByRole('tabpanel').getByRole('alert')).toContainText(missing);
  await expect(page.getByRole('contentinfo').getByRole('link')).toContainText(missing);
  await expect(page.getByText('No questions since the start.')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  const panel = (name: string) =>
    page.getByRole('article').filter({ has: page.getByRole('heading', { name }) });
  // With every new vector what was answered before is forgotten.
  await expect.poll(async () => (await call('status', {})).index.waiting, { timeout: 60_000 }).toBe(0);
  for (let time = 0; time < 2; time++) await call('recall.search', { query: 'grpc deadline', global: true });
  await expect(panel('Recall')).toContainText('2 questions since the start');
  await expect(panel('Cache hits')).toContainText('50%');
  await expect(panel('Cache hits')).toContainText(
    '1 of 2 questions since the start were answered from the cache',
  );
  await expect(panel('Slowest step')).toContainText('The slowest recall step is');
  for (const part of ['by words', 'graph'])
    await expect(panel('Index').getByRole('term').filter({ hasText: part })).toBeVisible();
  await expect(panel('Store').getByRole('meter', { name: 'notes' })).toBeVisible();
  await expect(page.getByRole('img', { name: /Recent recall times/ }).locator('polyline')).toHaveCount(2);
  const gaps = (await call('gaps.list', {})).length;
  await expect(page.getByText(`${gaps} questions found no learning`)).toBeVisible();
});
