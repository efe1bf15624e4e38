import type { Locator, Page } from '@playwright/test';
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
  const field = page.getByRole('textbox', { name: 'Maximum number of learnings a recall returns' });
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

interface Field {
  hash: string;
  /** Leads to the thing that is edited, in a window that has never shown it. */
  find?: (page: Page) => Promise<unknown>;
  /** Opens the form. */
  open?: (page: Page) => Promise<unknown>;
  /** A form that waits closed is opened again. */
  again?: (page: Page) => Promise<unknown>;
  field: (page: Page) => Locator;
  typed?: string;
}

const named = (name: string) => (page: Page) => page.getByRole('textbox', { name, exact: true });
const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).click();
const press = (key: string) => async (page: Page) => {
  await page.getByRole('main').focus();
  await page.keyboard.press(key);
};
const newLearning = { hash: '#/learnings', open: click('New'), again: click('New') };
const newSlot = { hash: '#/slots', open: press('n'), again: press('n') };
const openSlot = (page: Page) => page.getByRole('option', { name: /^User preferences/ }).click();

const FIELDS: Record<string, Field> = {
  'rule of a learning': {
    hash: '#/learnings',
    find: (page) =>
      page.getByRole('region', { name: 'Learning' }).getByRole('heading', { level: 2 }).waitFor(),
    open: press('e'),
    field: named('Rule'),
  },
  'rule of a new learning': { ...newLearning, field: named('Rule, in one sentence') },
  'tags for marked rows': {
    hash: '#/learnings',
    async open(page) {
      await page.getByRole('listbox', { name: 'Learnings' }).getByRole('option').nth(1).click();
      await page.keyboard.press('x');
      await page.keyboard.press('t');
    },
    field: (page) => page.getByRole('combobox', { name: 'Tags to add or remove' }),
  },
  'name of a new slot': { ...newSlot, field: named('Name'), typed: 'half_a_name' },
  'text of a slot': { hash: '#/slots', find: openSlot, open: press('e'), field: named('Text') },
  'limit of a slot': {
    hash: '#/slots',
    find: openSlot,
    field: (page) => page.getByRole('spinbutton', { name: /Limit/ }),
    typed: '12',
  },
  'knob of the lab': {
    hash: '#/lab?q=how+should+tests+be+run+here%3F',
    find: (page) =>
      page
        .getByRole('list', { name: 'Steps' })
        .getByRole('button', { name: /^marginal relevance/ })
        .click(),
    field: (page) => page.getByRole('tabpanel').getByRole('textbox').first(),
    typed: '0.',
  },
  setting: {
    hash: '#/settings?tab=knobs',
    field: (page) => page.getByRole('tabpanel').getByRole('textbox').first(),
    typed: '1',
  },
  'path of an export': { hash: '#/team', field: named('File path') },
};

test('text half-typed into any field is there in the next window, with what it is for', async ({
  page,
  context,
  openUi,
  call,
}) => {
  const [gap] = await call('gaps.list', {});
  const { learning } = await call('learnings.create', {
    note: { title: 'Feed the zebra', scope: 'global', status: 'candidate' },
  });
  const decision = (name: string) => (on: Page) => on.getByRole('option', { name }).click();
  const fields: Record<string, Field> = {
    ...FIELDS,
    'answer to a question': {
      hash: '#/inbox',
      find: decision(gap?.query ?? ''),
      open: press('n'),
      field: named('Answer'),
    },
    'words of a candidate': {
      hash: '#/inbox',
      find: decision(learning.title),
      open: press('e'),
      field: named('The lesson in one sentence'),
    },
  };
  for (const [name, { hash, find, open, again, field, typed = 'Half a thought' }] of Object.entries(fields))
    await test.step(name, async () => {
      const before = await context.newPage();
      await openUi(before, hash);
      await find?.(before);
      await open?.(before);
      await field(before).fill(typed);
      await openUi(page, hash);
      await find?.(page);
      await again?.(page);
      await expect(field(page)).toHaveValue(typed);
      await before.close();
    });
  await openUi(page);
  await expect(page.getByRole('toolbar', { name: 'Selected learnings' })).toContainText('1 selected');
});
