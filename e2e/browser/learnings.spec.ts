import type { Call } from '#contract/methods.ts';
import { accessibilityProblems, expect, test } from '../fixtures.ts';

const NOTES = [
  {
    title: 'Use pnpm, never npm, in this repository',
    rule: 'Install with pnpm.',
    problem: 'npm wrote a second lock file.',
    tags: ['packages'],
  },
  {
    title: 'Regenerate the gRPC clients after editing a proto file',
    rule: 'Run make proto.',
    fix: 'make proto',
    tags: ['codegen'],
  },
  {
    title: 'Run the database tests one after the other',
    rule: 'Pass --runInBand to the database tests.',
    tags: ['testing'],
  },
];

async function write(call: Call): Promise<void> {
  for (const note of NOTES) await call('learnings.create', { note: { ...note, scope: 'global' } });
}

test('the list shows all learnings, and a search filters it', async ({ page, openUi, call }) => {
  await write(call);
  await openUi(page);
  const list = page.getByRole('listbox', { name: 'Learnings' });
  await expect(list.getByRole('option')).toHaveCount(NOTES.length);
  await expect(list).toHaveAttribute('aria-multiselectable', 'true');
  const place = await list.boundingBox();

  await page.keyboard.press('/');
  await page.keyboard.type('proto');
  await expect(list.getByRole('option')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible();
  expect(await list.boundingBox(), 'the list stays where it was').toEqual(place);
  await expect(list.getByRole('option')).toContainText('Regenerate the gRPC clients');
  await expect(
    page.getByRole('region', { name: 'Learning' }).getByText('make proto', { exact: true }),
  ).toBeVisible();

  await test.step('the filter is saved and chosen again after a reload', async () => {
    await page.getByRole('button', { name: 'Save this filter' }).click();
    await page.reload();
    await expect(list.getByRole('option')).toHaveCount(NOTES.length);
    await page.getByRole('combobox', { name: 'Saved filters' }).selectOption('“proto”');
    await expect(list.getByRole('option')).toHaveCount(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove this saved filter' }).click();
    await expect(page.getByRole('combobox', { name: 'Saved filters' })).toHaveCount(0);
  });
});

test('a learning is read and edited in place, and the edit can be undone', async ({ page, openUi, call }) => {
  await write(call);
  await openUi(page);
  await page.getByRole('option', { name: /Use pnpm/ }).click();
  const detail = page.getByRole('region', { name: 'Learning' });
  await expect(detail.getByText('npm wrote a second lock file.')).toBeVisible();

  await detail.getByRole('button', { name: 'Edit' }).click();
  await detail.getByRole('textbox', { name: 'Title' }).fill('Use pnpm everywhere');
  await detail.getByRole('button', { name: 'Save' }).click();
  await expect(detail.getByRole('heading', { name: 'Use pnpm everywhere' })).toBeVisible();
  await expect(page.getByRole('option', { name: /Use pnpm everywhere/ })).toBeVisible();

  await detail.getByRole('tab', { name: /History/ }).click();
  await expect(detail.getByRole('tabpanel')).toContainText('edited');
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await expect(page.getByRole('option', { name: /Use pnpm, never npm/ })).toBeVisible();
});

test('a change made elsewhere is shown before mine is saved over it, and the history brings it back', async ({
  page,
  openUi,
  call,
}) => {
  await write(call);
  await openUi(page);
  await page.getByRole('option', { name: /Use pnpm/ }).click();
  const detail = page.getByRole('region', { name: 'Learning' });
  await detail.getByRole('button', { name: 'Edit' }).click();
  const rule = detail.getByRole('textbox', { name: 'Rule' });
  await rule.fill('Mine.');
  const { items } = await call('learnings.list', { text: 'pnpm' });
  await call('learnings.update', { id: items[0]?.id ?? '', patch: { rule: 'Theirs.' } });
  await detail.getByRole('button', { name: 'Save' }).click();
  await expect(detail.getByRole('alert')).toContainText('This learning changed while you were editing');
  await expect(detail.getByRole('alert')).toContainText('Theirs.');
  expect(await accessibilityProblems(page)).toEqual([]);
  await detail.getByRole('button', { name: 'Overwrite with mine' }).click();
  await expect(detail.getByText('Mine.', { exact: true })).toBeVisible();

  await detail.getByRole('tab', { name: /History/ }).click();
  await detail.getByRole('button', { name: 'Undo this change' }).first().click();
  await expect(detail.getByText('Theirs.', { exact: true }).first()).toBeVisible();
});

test('one key archives a learning, another restores it', async ({ page, openUi, call }) => {
  await write(call);
  await openUi(page);
  const rows = page.getByRole('listbox', { name: 'Learnings' }).getByRole('option');
  await page.getByRole('option', { name: /database tests/ }).click();
  await expect(page.getByRole('heading', { name: /database tests/ })).toBeVisible();
  await page.keyboard.press('a');
  await expect(rows).toHaveCount(NOTES.length - 1);
  await expect.poll(async () => (await call('learnings.list', { status: 'archived' })).total).toBe(1);

  await page.keyboard.press('z');
  await expect(rows).toHaveCount(NOTES.length);
  expect((await call('learnings.list', { status: 'archived' })).total).toBe(0);
  await page.keyboard.press('Shift+Z');
  await expect(rows).toHaveCount(NOTES.length - 1);
  await page.keyboard.press('z');
  await expect(rows).toHaveCount(NOTES.length);

  await test.step('so does the menu of its row, which stays when the button is let go', async () => {
    await page.getByRole('option', { name: /database tests/ }).click({ button: 'right' });
    const menu = page.getByRole('menu', { name: 'Row actions' });
    await expect(menu.getByRole('menuitem', { name: /^Edit/ }), 'once it has been read').toBeVisible();
    await expect(menu, 'what is not about the row is not in its menu').not.toContainText('New learning');
    await menu.getByRole('menuitem', { name: /^Archive/ }).click();
    await expect(rows).toHaveCount(NOTES.length - 1);
    await page.keyboard.press('z');
    await expect(rows).toHaveCount(NOTES.length);
  });

  await test.step('a key of one’s own does the same, and the button names it', async () => {
    const archive = page.getByRole('region', { name: 'Learning' }).getByRole('button', { name: 'Archive' });
    await expect(archive).toHaveText(/Archive\s*a/);
    await page.evaluate(() => (location.hash = '#/settings?tab=keyboard'));
    await page
      .getByRole('region', { name: 'Learnings' })
      .getByRole('button', { name: 'Change the key of “Archive”' })
      .click();
    await page.keyboard.press('o');
    await page.goBack();
    await expect(archive).toHaveText(/Archive\s*o/);
    await page.getByRole('listbox', { name: 'Learnings' }).focus();
    await page.keyboard.press('o');
    await expect(rows).toHaveCount(NOTES.length - 1);
  });
});

test('a learning is written by hand; what was typed survives closing the form', async ({
  page,
  openUi,
  call,
}) => {
  await openUi(page);
  await page.getByRole('main').focus();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New learning' });
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save learning' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Write the rule in one sentence.');
  await page.getByRole('textbox', { name: 'Rule, in one sentence' }).fill('Deploy with make ship');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.reload();
  await page.getByRole('button', { name: 'New' }).click();
  await expect(page.getByRole('textbox', { name: 'Rule, in one sentence' })).toHaveValue(
    'Deploy with make ship',
  );
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('heading', { name: 'Deploy with make ship' })).toBeVisible();
  expect((await call('learnings.list', { status: 'active' })).total).toBe(1);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => (await call('learnings.list', { status: 'active' })).total).toBe(0);
});

test('undo reverts what was done in this window, never what others did', async ({ page, openUi, call }) => {
  await write(call);
  await openUi(page);
  const rows = page.getByRole('listbox', { name: 'Learnings' }).getByRole('option');
  await expect(rows).toHaveCount(NOTES.length);
  await page.getByRole('listbox', { name: 'Learnings' }).focus();
  await page.keyboard.press('z');
  await expect(page.getByText('Nothing to undo')).toBeVisible();
  await page.keyboard.press('Shift+Z');
  await expect(page.getByText('Nothing to redo')).toBeVisible();
  await expect(rows).toHaveCount(NOTES.length);
});

test('several are selected by keyboard, changed together and undone together', async ({
  page,
  openUi,
  call,
}) => {
  await write(call);
  await openUi(page);
  const rows = page.getByRole('listbox', { name: 'Learnings' }).getByRole('option');
  await expect(rows).toHaveCount(NOTES.length);
  await page.getByRole('listbox', { name: 'Learnings' }).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+J');
  const bar = page.getByRole('toolbar', { name: 'Selected learnings' });
  await expect(bar).toContainText('3 selected');
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.keyboard.press('t');
  await page.keyboard.type('sorted, -packages');
  await page.keyboard.press('Enter');
  await expect(bar).toHaveCount(0);
  await expect.poll(async () => (await call('learnings.list', { tag: 'sorted' })).total).toBe(3);
  expect((await call('learnings.list', { tag: 'packages' })).total).toBe(0);
  await page.keyboard.press('z');
  await expect.poll(async () => (await call('learnings.list', { tag: 'sorted' })).total).toBe(0);

  await page.keyboard.press('Shift+X');
  await page.keyboard.press('a');
  await expect(rows).toHaveCount(0);
  await page.keyboard.press('z');
  await expect(rows).toHaveCount(NOTES.length);
});

test('a learning is promoted to a skill after a preview, with undo', async ({ page, openUi, call }) => {
  await write(call);
  await openUi(page);
  await page.getByRole('option', { name: /Regenerate the gRPC/ }).click();
  await expect(
    page.getByRole('region', { name: 'Learning' }).getByRole('heading', { name: /Regenerate the gRPC/ }),
  ).toBeVisible();
  await page.keyboard.press('s');
  const dialog = page.getByRole('dialog', { name: 'Promote to skill' });
  await expect(dialog.getByRole('region')).toContainText('Run make proto.');
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create skill' }).click();
  await expect(dialog).toHaveCount(0);
  const {
    items: [row],
  } = await call('learnings.list', { text: 'gRPC' });
  const place = async () => (await call('skills.preview', { id: row?.id ?? '', agent: 'claude-code' })).place;
  await expect.poll(place).toBe('ours');
  await page.keyboard.press('z');
  await expect.poll(place).toBe('free');
});

test('a note added elsewhere appears by itself', async ({ page, openUi, call, cli }) => {
  await openUi(page);
  await expect(page.getByText('Nothing learned yet')).toBeVisible();
  await write(call);
  await expect(page.getByRole('listbox', { name: 'Learnings' }).getByRole('option')).toHaveCount(
    NOTES.length,
  );

  const { code, stdout } = await cli('search', 'proto clients', '--json');
  expect(code).toBe(0);
  expect(stdout).toContain('Regenerate the gRPC clients');
});

test('HTML in a note is shown as text and never runs', async ({ page, openUi, call }) => {
  const body =
    '# Heading\n\n<img src=x onerror="document.title=\'owned\'"> <script>document.title="owned"</script> [a](javascript:alert(1)) **bold**';
  await call('learnings.create', { note: { title: '<b>Escaped</b> title', body, scope: 'global' } });
  await openUi(page);
  await page.getByRole('option', { name: /Escaped/ }).click();
  const detail = page.getByRole('region', { name: 'Learning' });
  await expect(detail.locator('strong', { hasText: 'bold' })).toBeVisible();
  await expect(page).not.toHaveTitle('owned');
  await expect(detail.locator('script, img[onerror], a[href^="javascript:"]')).toHaveCount(0);
});
