import { accessibilityProblems, expect, test } from '../fixtures.ts';

test.use({ demo: true });

test('unsaved text survives other rows, other pages, captures, a reload and the end of its window', async ({
  page,
  context,
  openUi,
  call,
}) => {
  await openUi(page);
  const rows = page.getByRole('listbox', { name: 'Learnings' }).getByRole('option');
  const detail = page.getByRole('region', { name: 'Learning' });
  const rule = detail.getByRole('textbox', { name: 'Rule' });
  const unsaved = detail.getByText('Unsaved changes');
  await expect(detail.getByRole('heading', { level: 2 })).toBeVisible();
  await page.getByRole('main').focus();
  await page.keyboard.press('e');
  await expect(unsaved).toHaveCount(0);
  await rule.fill('Half a thought');
  await expect(unsaved).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);

  await rows.nth(1).click();
  await expect(rule).toHaveCount(0);
  await expect(rows.nth(0)).toContainText('Unsaved changes');
  await rows.nth(0).click();
  await expect(rule).toHaveValue('Half a thought');

  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('navigation').getByRole('link', { name: /Learnings/ })).toContainText(
    'Unsaved changes',
  );
  await page.goBack();
  await expect(rule).toHaveValue('Half a thought');

  await call('learnings.create', { note: { title: 'Captured meanwhile', rule: 'Yes.', scope: 'global' } });
  await expect(rows.filter({ hasText: 'Captured meanwhile' })).toBeVisible();
  await expect(rule).toHaveValue('Half a thought');
  await page.getByRole('textbox', { name: 'Search learnings' }).fill('Captured');
  await expect(rows).toHaveCount(1);
  await expect(rule).toHaveValue('Half a thought');

  await page.reload();
  await expect(rule).toHaveValue('Half a thought');
  // A window that crashed or was closed leaves nothing but what is stored; the next one finds it.
  const next = await context.newPage();
  await openUi(next, new URL(page.url()).hash);
  await expect(next.getByRole('textbox', { name: 'Rule' })).toHaveValue('Half a thought');
  await next.close();
  await detail.getByRole('button', { name: 'Discard changes' }).click();
  await expect(rule).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rule).toHaveValue('Half a thought');
  await detail.getByRole('button', { name: 'Save' }).click();
  await expect(detail).toContainText('Half a thought');
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
});

test('a half-typed setting survives a reload, and is saved or discarded by a key', async ({
  page,
  openUi,
  call,
}) => {
  const limit = async () =>
    (await call('config.list', {})).find(({ name }) => name === 'REFLECT_RECALL_LIMIT')?.value;
  await openUi(page, '#/settings');
  await page.getByRole('textbox', { name: 'Search settings' }).fill('REFLECT_RECALL_LIMIT');
  const field = page.getByRole('textbox', { name: 'How many learnings a recall returns at most' });
  await field.fill('4');
  await page.reload();
  await expect(field).toHaveValue('4');
  await expect(page.getByRole('navigation').getByRole('link', { name: /Settings/ })).toContainText(
    'Unsaved changes',
  );
  expect(await limit()).toBe(10);
  expect(await accessibilityProblems(page)).toEqual([]);
  await field.press('Enter');
  await expect.poll(limit).toBe(4);
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  await field.fill('900');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await field.press('Escape');
  await expect(field).toHaveValue('4');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a half-filled form for a team’s server survives a reload, without its password', async ({
  page,
  openUi,
}) => {
  await openUi(page, '#/team');
  await page.getByRole('button', { name: 'Join a space…' }).click();
  const server = page.getByRole('textbox', { name: 'Server' });
  const space = page.getByRole('textbox', { name: 'Space' });
  await server.fill('postgres://ana:s3cret@db.example/reflect');
  await space.fill('acme');
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('s3cret');
  await page.reload();
  await expect(server).toHaveValue('postgres://ana@db.example/reflect');
  await expect(space).toHaveValue('acme');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Join a space…' })).toBeVisible();
});
