import { accessibilityProblems, expect, test } from '../fixtures.ts';

test('a setting is found by what it does, changed, refused with the reason, taken back and reset', async ({ page, openUi, call }) => {
  const limit = async () => (await call('config.list', {})).find(({ name }) => name === 'REFLECT_RECALL_LIMIT');
  await openUi(page, '#/settings');
  await page.keyboard.press('/');
  await page.keyboard.type('how many learnings a recall returns');
  const field = page.getByRole('textbox', { name: 'How many learnings a recall returns at most' });
  await expect(field).toHaveValue('10');

  await field.fill('4');
  await field.press('Enter');
  await expect.poll(async () => (await limit())?.value).toBe(4);
  await expect(page.getByText('set here')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  await field.fill('900');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('This must be 1 to 100.');
  expect((await limit())?.value).toBe(4);
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByRole('button', { name: 'Reset REFLECT_RECALL_LIMIT' }).click();
  await expect.poll(async () => (await limit())?.source).toBe('default');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => (await limit())?.value).toBe(4);
});

test('what is set elsewhere shows by itself, a port leads to its settings, and a theme is kept', async ({ page, openUi, call }) => {
  await openUi(page, '#/settings');
  const mmr = page.getByRole('switch', { name: 'Choose for diversity as well as for relevance' });
  await page.getByRole('tab', { name: /Ports/ }).click();
  await page.getByRole('row', { name: /^R3 / }).getByRole('button', { name: /RECALL_MMR on/ }).click();
  await expect(page.getByRole('textbox', { name: 'Search settings' })).toHaveValue('RECALL_MMR');
  await expect(mmr).toBeChecked();
  await call('config.set', { name: 'RECALL_MMR', value: false });
  await expect(mmr).not.toBeChecked();

  await page.getByRole('tab', { name: 'Look' }).click();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});
