import { accessibilityProblems, expect, test } from '../fixtures.ts';

test.use({ demo: true });

test('what happens elsewhere is seen on Health by itself', async ({ page, openUi, call }) => {
  await openUi(page, '#/health');
  await expect(page.getByText('No question has been asked since the start.')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await call('recall.search', { query: 'grpc deadline', global: true });
  await expect(page.getByText(/1 question since the start/)).toBeVisible();
  await expect(page.getByRole('img', { name: /How long recalls took lately/ }).locator('polyline')).toHaveCount(2);
  const gaps = (await call('gaps.list', {})).length;
  await expect(page.getByText(`${gaps} questions found no learning`)).toBeVisible();
});
