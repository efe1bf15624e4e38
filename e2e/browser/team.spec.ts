import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Call } from '#contract/methods.ts';
import { askAboutChanges } from '../../app/confirmations.ts';
import { postgresMissing, startPostgres, TEAM_ENVIRONMENT } from '../../daemon/testing/postgres.ts';
import { accessibilityProblems, expect, test } from '../fixtures.ts';

let folder = '';
test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'reflect-e2e-team-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string) => path.join(folder, name);

async function write(call: Call, ...titles: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const title of titles)
    ids.push(
      (await call('learnings.create', { note: { title, rule: title, category: 'testing', scope: 'global' } }))
        .learning.id,
    );
  return ids;
}

test('an export is previewed, and its hash matches the file', async ({ page, openUi, call }) => {
  await write(call, 'Use pnpm', 'Run the database tests alone');
  await openUi(page, '#/team');
  await expect(page.getByText(/^2 notes in 4 files/)).toBeVisible();
  await page.getByRole('textbox', { name: 'File path' }).fill(file('team.tar'));
  await page.getByRole('button', { name: 'Export' }).click();
  const done = page.getByRole('region', { name: 'Exported' });
  await expect(done).toContainText(
    createHash('sha256')
      .update(await content(file('team.tar')))
      .digest('hex'),
  );
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByRole('alert')).toContainText('already');
  await page.getByRole('button', { name: 'Replace it' }).click();
  await expect(done).toBeVisible();
});

test('notes of another program are previewed for a project, imported, and undone as one', async ({
  page,
  openUi,
  call,
}) => {
  await call('learnings.create', { note: { title: 'Use pnpm', project: 'github.com/acme/shop' } });
  writeFileSync(
    file('cents.md'),
    '---\npermalink: cents\n---\n# Keep amounts in cents\n\nFloats lose one.\n',
  );
  writeFileSync(file('empty.md'), '---\npermalink: [\n---\n');
  await openUi(page, '#/team');
  await page.getByRole('tab', { name: 'Import' }).click();
  await page.getByRole('textbox', { name: 'File path' }).fill(folder);
  await page.getByRole('button', { name: 'Preview' }).click();
  const found = page.getByRole('region', { name: 'basic-memory notes' });
  await expect(found).toContainText('1 new, 0 known, 0 skipped, 1 unreadable');
  await found.getByLabel('Project for notes that name none').selectOption('shop');
  await expect(found.getByRole('row', { name: /Keep amounts in cents/ })).toContainText('shop');
  expect(await accessibilityProblems(page)).toEqual([]);
  await found.getByRole('button', { name: 'Import and keep' }).click();
  await expect(page.getByText('1 learning added')).toBeVisible();
  const kept = () => call('learnings.list', { project: 'github.com/acme/shop', status: 'active' });
  expect((await kept()).items.map(({ title }) => title)).toContain('Keep amounts in cents');
  await page.getByRole('button', { name: 'Undo the import' }).click();
  await expect.poll(async () => (await kept()).total).toBe(1);
});

/** The export appears whole or not at all, so the first sight of it is the file. */
async function content(of: string): Promise<Buffer> {
  await expect
    .poll(() => {
      try {
        return readFileSync(of).length;
      } catch {
        return 0;
      }
    })
    .toBeGreaterThan(0);
  return readFileSync(of);
}

test('a merge is previewed, adds new notes and asks about differences', async ({ page, openUi, call }) => {
  const archive = file('merge.tar');
  const [known = ''] = await write(call, 'Use pnpm');
  await call('archive.export', { path: file('before.tar') });
  await write(call, 'Only in the file');
  await call('archive.export', { path: archive });
  await call('archive.import', { path: file('before.tar'), mode: 'force', mine: true });
  await call('learnings.update', { id: known, patch: { rule: 'Use pnpm, version 10' } });
  await write(call, 'Known to nobody else');

  await openUi(page, '#/team');
  await expect(page.getByRole('heading', { name: 'Team' })).toBeVisible();
  await page.keyboard.press('i');
  await expect(page.getByRole('textbox', { name: 'File path' })).toBeFocused();
  await page.keyboard.type(archive);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group').filter({ hasText: 'New 1' })).toContainText('Only in the file');
  await expect(page.getByRole('group').filter({ hasText: 'Different 1' })).toContainText('differs in rule');
  await expect(page.getByRole('group').filter({ hasText: 'Only here 1' })).toContainText(
    'Known to nobody else',
  );
  expect(await accessibilityProblems(page)).toEqual([]);
  expect((await call('learnings.list', {})).items.map(({ title }) => title)).not.toContain(
    'Only in the file',
  );

  await page.keyboard.press('m');
  const done = page.getByRole('region', { name: 'Merged' });
  await expect(done).toContainText('1 added, 1 kept as they are');
  expect((await call('learnings.get', { id: known })).rule).toBe('Use pnpm, version 10');
  expect((await call('learnings.list', {})).items.map(({ title }) => title)).toContain('Only in the file');
  await done.getByRole('link', { name: '1 question to decide in the Inbox' }).click();
  await expect(page).toHaveURL(/#\/inbox/);
  expect(await call('merges.list', {})).toHaveLength(1);
  await page.getByRole('option', { name: /Import of merge\.tar/ }).click();
  const decision = page.getByRole('region', { name: 'Decision' });
  await expect(decision).toContainText('1 new · 1 changed');
  await expect(decision.getByRole('button', { name: 'Use pnpm' })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await decision.getByRole('button', { name: 'Accept', exact: true }).first().click();
  await expect(page.getByRole('option', { name: /Import of merge\.tar/ })).toBeHidden();
  const [accepted] = (await call('learnings.list', { text: 'Only in the file' })).items;
  expect(accepted?.status).toBe('active');
});

test('replacing everything asks first and writes a backup', async ({ page, openUi, call }) => {
  const archive = file('replace.tar');
  await write(call, 'Use pnpm');
  await call('archive.export', { path: archive });
  await write(call, 'Learned since');
  await openUi(page, '#/team');
  await page.getByRole('tab', { name: 'Import' }).click();
  await page.getByRole('textbox', { name: 'File path' }).fill(archive);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('checkbox', { name: 'I made this export' }).check();
  await page.getByRole('button', { name: 'Replace everything' }).click();
  const question = page.getByRole('dialog', { name: 'Replace everything?' });
  expect(await accessibilityProblems(page)).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect((await call('learnings.list', {})).total).toBe(2);

  await page.getByRole('button', { name: 'Replace everything' }).click();
  await question.getByRole('button', { name: 'Back up and replace' }).click();
  await expect(page.getByRole('region', { name: 'Replaced' })).toContainText(
    'Backup of the previous content',
  );
  expect((await call('learnings.list', {})).items.map(({ title }) => title)).toEqual(['Use pnpm']);
});

test('a file that is not an export is refused with the reason', async ({ page, openUi, call }) => {
  await write(call, 'Use pnpm');
  writeFileSync(file('holiday.tar'), 'not an archive');
  await openUi(page, '#/team');
  await page.keyboard.press('i');
  await expect(page.getByRole('textbox', { name: 'File path' })).toBeFocused();
  await page.keyboard.type(file('holiday.tar'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('The archive was rejected. Nothing was changed.');
  await expect(page.getByRole('button', { name: 'Merge' })).toBeHidden();
  expect((await call('learnings.list', {})).total).toBe(1);
});

/** The daemon of this story has the password of the team's server in its environment. */
const teamTest = test.extend({
  world: async ({ world }, use) => use({ ...world, env: { ...world.env, ...TEAM_ENVIRONMENT } }),
});

teamTest(
  'a space is joined after a preview, and a note is published after every word was shown',
  async ({ page, openUi, call, daemon }) => {
    teamTest.skip(postgresMissing() !== null, postgresMissing() ?? '');
    const server = await startPostgres();
    try {
      const project = 'github.com/acme/shop';
      await call('learnings.create', {
        note: { title: 'Round half to even', rule: 'Use bankers rounding', project },
      });
      await openUi(page, '#/team');
      const spaces = page.getByRole('region', { name: 'Shared with colleagues' });
      await spaces.getByRole('button', { name: 'Join a space…' }).click();
      await spaces.getByLabel('Server').fill('postgres://owner@127.0.0.1:1/postgres');
      await spaces.getByLabel('Space', { exact: true }).fill('acme');
      await spaces.getByRole('button', { name: 'Preview' }).click();
      await expect(spaces.getByRole('alert')).toContainText('unless a person confirms it in the app');
      askAboutChanges(daemon.line, () => Promise.resolve({ response: 1 })); // the app is opened
      await spaces.getByRole('button', { name: 'Preview' }).click();
      await expect(spaces.getByRole('alert')).toContainText('No server answers at this address.');
      await spaces.getByLabel('Server').fill(server.url());
      await spaces.getByRole('button', { name: 'Create it' }).click();
      await expect(spaces.getByText('In acme you are owner, curator. It has 1 member.')).toBeVisible();
      await spaces.getByRole('button', { name: 'Join acme' }).click();
      const space = spaces.getByRole('article', { name: 'acme' });
      await expect(space).toContainText('connected');
      await expect(space).toContainText('0 published');
      expect(await accessibilityProblems(page)).toEqual([]);

      await space.getByRole('button', { name: 'Publish…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Publish to acme?' });
      await expect(dialog).toContainText('rule: Use bankers rounding');
      await dialog.getByRole('button', { name: 'Publish' }).click();
      await expect(space).toContainText('1 published');
      await space.getByLabel('Policy of shop').selectOption('never');
      await space.getByRole('button', { name: 'Activity' }).click();
      await expect(space).toContainText('owner published “Round half to even”');
      await space.getByRole('button', { name: 'Retract everywhere' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Retract it' }).click();
      await expect(space).toContainText('owner retracted “a retracted note”');
      await space.getByRole('button', { name: 'Leave…' }).click();
      const leaving = page.getByRole('dialog', { name: 'Leave acme?' });
      await leaving.getByRole('checkbox', { name: 'Keep copies of their notes' }).check();
      expect(await accessibilityProblems(page)).toEqual([]);
      await leaving.getByRole('button', { name: 'Leave' }).click();
      await expect(spaces.getByRole('button', { name: 'Join a space…' })).toBeVisible();
    } finally {
      await server.remove();
    }
  },
);
