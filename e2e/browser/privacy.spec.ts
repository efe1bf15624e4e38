import { accessibilityProblems, expect, test } from '../fixtures.ts';

test('a learning is deleted for good, and a project is ignored and read again', async ({
  page,
  openUi,
  call,
}) => {
  const note = (title: string) => ({ title, project: 'acme/shop' });
  const { learning } = await call('learnings.create', { note: note('Use pnpm, never npm') });
  await call('learnings.create', { note: note('Run make proto after editing a proto file') });
  await openUi(page, `#/learnings/${learning.id}`);
  const menu = page.getByRole('button', { name: 'More', exact: true });

  await menu.click();
  await page.getByRole('menuitem', { name: 'Delete permanently…' }).click();
  const question = page.getByRole('dialog', { name: 'Delete this learning permanently?' });
  await expect(question).toContainText('“Use pnpm, never npm”');
  await expect(question).toContainText('Earlier backups are deleted and replaced by a new one without it.');
  expect(await accessibilityProblems(page)).toEqual([]);
  await question.getByRole('button', { name: 'Delete permanently' }).click();
  const list = page.getByRole('listbox', { name: 'Learnings' });
  await expect(list.getByRole('option')).toHaveCount(1);
  await expect(page.getByText('Deleted 1 learning and 0 moments.')).toBeVisible();
  await expect(call('learnings.get', { id: learning.id })).rejects.toThrow('No learning');

  await list.getByRole('option', { name: /make proto/ }).click();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Ignore this project…' }).click();
  await page.getByRole('button', { name: 'Ignore project' }).click();
  await expect(page.getByText('Ignored acme/shop.')).toBeVisible();
  expect((await call('capture.ignored', {})).rules).toEqual(['project:acme/shop']);

  await menu.click();
  await page.getByRole('menuitem', { name: 'Delete project permanently…' }).click();
  await expect(page.getByRole('dialog')).toContainText('Everything about acme/shop: 1 learning,');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.evaluate(() => (location.hash = '#/settings?tab=privacy'));
  const ignored = page.getByRole('list', { name: 'Ignored' });
  await expect(ignored).toContainText('Project acme/shop');
  await ignored.getByRole('button', { name: 'Stop ignoring' }).click();
  await expect(page.getByText('Nothing is ignored.')).toBeVisible();
  await expect(page.getByText('What was said there while it was ignored stays unread.')).toBeVisible();
  await page.getByRole('main').focus();
  await page.keyboard.press('z');
  await expect(ignored).toContainText('Project acme/shop');
  await page.keyboard.press('Shift+Z');
  await expect(page.getByText('Nothing is ignored.')).toBeVisible();
});
