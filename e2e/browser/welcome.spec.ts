import { accessibilityProblems, expect, test } from '../fixtures.ts';
import { beCorrected } from '../world.ts';

test.use({ bare: true });

test('on an empty home nothing is read before a person agrees; then lessons are found and kept', async ({
  page,
  call,
  transcript,
}) => {
  transcript.age = 7 * 86_400_000;
  beCorrected(transcript);
  await page.goto((await call('ui.code', {})).url);
  await expect(page.getByRole('heading', { name: 'Set up Reflect' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: /^Claude Code$/ })).toBeVisible();
  expect(await call('status', {})).toMatchObject({ agreed: false, capture: 'off' });
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByRole('button', { name: 'Continue' }).dblclick();
  await expect(page.getByText('Reflect reads nothing until you agree.')).toBeVisible();
  await expect(page.getByText('~/.claude/projects')).toBeVisible();
  expect(await call('capture.moments', {})).toEqual([]);
  await page.getByRole('button', { name: 'Start reading' }).click();

  await expect(page.getByRole('button', { name: 'Connect Claude Code' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('radio').first()).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  const lesson = page.getByRole('listitem').filter({ hasText: 'pnpm' }).first();
  await expect(lesson).toBeVisible({ timeout: 30_000 });
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.evaluate(() => (location.hash = '#/learnings'));
  await expect(page.getByText(/lessons? waits? for you/)).toBeVisible();
  await page.goBack();
  await lesson.getByRole('button', { name: 'Keep' }).click();
  await expect.poll(async () => (await call('learnings.list', { status: 'active' })).total).toBe(1);

  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('button', { name: 'Skip for now' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page).toHaveURL(/#\/learnings/);
  await page.reload();
  await expect(page.getByRole('listbox', { name: 'Learnings' })).toBeVisible();

  await page.evaluate(() => (location.hash = '#/slots'));
  await expect(page.getByText('Nothing pinned yet')).toBeVisible();
  await expect(page.getByText('Select a slot to read it.')).toHaveCount(0);

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('onboarding');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Set up Reflect' })).toBeVisible();
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await expect(page).toHaveURL(/#\/learnings/);
});
