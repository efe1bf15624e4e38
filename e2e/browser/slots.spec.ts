import { accessibilityProblems, expect, test } from '../fixtures.ts';

test.use({ demo: true });

test('a slot is created, edited, moved, locked and shown in the session preview', async ({
  page,
  openUi,
  call,
}) => {
  await openUi(page, '#/slots');
  const rows = page.getByRole('listbox', { name: 'Slots' }).getByRole('option');
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.type('Release checklist');
  await page.keyboard.press('Enter');
  await expect(rows.filter({ hasText: 'Release checklist' })).toHaveAttribute('aria-selected', 'true');

  await page.getByRole('main').focus();
  await page.keyboard.press('e');
  const { height } = (await page.getByRole('textbox', { name: 'Text' }).boundingBox()) ?? { height: 0 };
  expect(height, 'there is room to write').toBeGreaterThan(100);
  await page.keyboard.type('Tag the release, then tell the team.');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText(/Preview: start of a session in/)).toBeVisible();
  await expect(page.locator('pre.dim')).toContainText('Tag the release, then tell the team.');

  await page.getByRole('main').focus();
  await page.keyboard.press('Shift+K');
  await expect
    .poll(async () =>
      (await call('slots.list', {}))
        .filter(({ project }) => project === '')
        .map(({ name }) => name)
        .at(-1),
    )
    .not.toBe('release_checklist');
  await test.step('it is dragged to the top, and back by undo', async () => {
    const names = async () =>
      (await call('slots.list', {})).filter(({ project }) => project === '').map(({ name }) => name);
    const before = await names();
    await rows.filter({ hasText: 'Release checklist' }).dragTo(rows.first());
    await expect.poll(async () => (await names())[0]).toBe('release_checklist');
    await page.keyboard.press('z');
    await expect.poll(names).toEqual(before);
    await page.keyboard.press('Shift+Z');
    await expect.poll(async () => (await names())[0]).toBe('release_checklist');
    await page.keyboard.press('z');
    await expect.poll(names).toEqual(before);
  });
  await test.step('unsaved text survives another page and a reload', async () => {
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: 'Text' }).fill('Half a thought');
    await page.getByRole('navigation').getByRole('link', { name: 'Sessions' }).click();
    await page.reload();
    await page.goBack();
    await expect(page.getByRole('textbox', { name: 'Text' })).toHaveValue('Half a thought');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('main').focus();
  });
  await page.keyboard.press('l');
  await expect
    .poll(async () => (await call('slots.get', { project: '', name: 'release_checklist' })).readOnly)
    .toBe(true);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('z');
  await expect
    .poll(async () => (await call('slots.get', { project: '', name: 'release_checklist' })).readOnly)
    .toBe(false);
});
