import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { accessibilityProblems, expect, test } from '../fixtures.ts';

test('a setting is found by its description, changed, validated, undone and reset', async ({
  page,
  openUi,
  call,
}) => {
  const limit = async () =>
    (await call('config.list', {})).find(({ name }) => name === 'REFLECT_RECALL_LIMIT');
  await openUi(page, '#/settings');
  await page.keyboard.press('/');
  await page.keyboard.type('number of learnings a recall returns');
  const field = page.getByRole('textbox', { name: 'Maximum number of learnings a recall returns' });
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
  await page.getByRole('main').focus();
  await page.keyboard.press('Shift+Z');
  await expect.poll(async () => (await limit())?.source).toBe('default');
});

test('changes from elsewhere appear, a port links to its settings, and the theme is remembered', async ({
  page,
  openUi,
  call,
}) => {
  await openUi(page, '#/settings?tab=ports');
  const mmr = page.getByRole('switch', { name: 'Prefer results that do not repeat each other' });
  await page
    .getByRole('row', { name: /^R3 / })
    .getByRole('button', { name: /RECALL_MMR on/ })
    .click();
  await expect(page.getByRole('textbox', { name: 'Search settings' })).toHaveValue('RECALL_MMR');
  await expect(mmr).toBeChecked();
  await call('config.set', { name: 'RECALL_MMR', value: false });
  await expect(mmr).not.toBeChecked();

  await page.getByRole('textbox', { name: 'Search settings' }).fill('dark');
  await page.getByRole('link', { name: 'General › Appearance' }).click();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

const OTHERS =
  '{\n    "model": "opus",\n  "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ] }\n}';

test('connecting an agent shows every line first; disconnecting restores the file byte for byte', async ({
  page,
  openUi,
  world,
  cli,
}) => {
  const settings = path.join(world.agentsHome, '.claude', 'settings.json');
  mkdirSync(path.dirname(settings));
  writeFileSync(settings, OTHERS);
  await openUi(page, '#/sessions');
  await page.getByRole('button', { name: 'Connect your agents' }).click();
  await expect(page).toHaveURL(/#\/settings\?tab=agents$/);
  const claude = page.getByRole('listitem').filter({ hasText: 'Claude Code' });
  await expect(claude).toContainText('not connected');
  await expect(page.getByRole('listitem').filter({ hasText: 'Codex' })).toContainText('not installed');

  await claude.getByRole('button', { name: 'Connect Claude Code' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Claude Code' });
  await expect(dialog).toContainText('~/.claude/settings.json');
  await expect(dialog).toContainText(/\+.*reflect\.cjs/);
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await accessibilityProblems(page)).toEqual([]);
  }
  await page.keyboard.press('Escape');
  expect(readFileSync(settings, 'utf8')).toBe(OTHERS);

  await claude.getByRole('button', { name: 'Connect Claude Code' }).click();
  await expect(dialog.getByRole('button', { name: 'Connect' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(claude).toContainText('hooks: in place');
  await expect(claude).toContainText('Backup:');
  expect(readFileSync(settings, 'utf8')).toMatch(/SessionStart[^]*reflect\.cjs/);
  expect(readFileSync(settings, 'utf8')).toContain('say done');
  expect(
    (await cli('install', 'claude-code', '--dry-run')).stdout.match(/: no change/g),
    'the command line would write the same',
  ).toHaveLength(2);

  await claude.getByRole('button', { name: 'Check Claude Code' }).click();
  await expect(claude).toContainText(/✓\s*Claude Code: hook answers in/);
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await accessibilityProblems(page)).toEqual([]);
  }

  await claude.getByRole('button', { name: 'Disconnect Claude Code' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(claude).toContainText('not connected');
  expect(readFileSync(settings, 'utf8')).toBe(OTHERS);
  expect(existsSync(path.join(world.agentsHome, '.claude.json'))).toBe(false);
});

test('an unreadable file is named with its line and left unchanged', async ({ page, openUi, world }) => {
  const settings = path.join(world.agentsHome, '.gemini', 'settings.json');
  mkdirSync(path.dirname(settings));
  writeFileSync(settings, '{\n  oops\n}');
  await openUi(page, '#/settings?tab=agents');
  const gemini = page.getByRole('listitem').filter({ hasText: 'Gemini CLI' });
  await gemini.getByRole('button', { name: 'Connect Gemini CLI' }).click();
  await expect(gemini.getByRole('alert')).toContainText(/line 2.*Nothing was changed/);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(readFileSync(settings, 'utf8')).toBe('{\n  oops\n}');
});

test('a secret in a note is found and links to the note; models have their own tab', async ({
  page,
  openUi,
  call,
  world,
}) => {
  const { learning } = await call('learnings.create', {
    note: { title: 'Deploy with the deploy key', body: 'It is in the vault.', scope: 'global' },
  });
  const token = `ghp_${'aB3dE5gH7'.repeat(4)}`;
  await openUi(page, '#/settings?tab=privacy');
  await page.getByRole('button', { name: 'Scan now' }).click();
  await expect(page.getByText(/Scanned .* No secrets found/)).toBeVisible();

  // An older version, which knew fewer patterns, left it there.
  const db = new Database(path.join(world.home, 'reflect.db'));
  db.prepare('UPDATE learning SET note = replace(note, ?, ?)').run('in the vault', token);
  db.close();
  await page.getByRole('button', { name: 'Scan now' }).click();
  await expect(page.getByText(/possible secret/).first()).toBeVisible();
  const found = page.getByRole('list', { name: 'Possible secrets' });
  await expect(found).toContainText('github token');
  await expect(found).not.toContainText(token);
  await expect(page.getByRole('combobox', { name: /^Who writes the notes/ })).toBeVisible();
  // Names of variables are for the list of all settings.
  await expect(page.getByRole('main')).not.toContainText('REFLECT_');
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await accessibilityProblems(page)).toEqual([]);
  }
  await found
    .getByRole('link', { name: `Learning ${learning.id}` })
    .first()
    .click();
  await expect(page.getByRole('region', { name: 'Learning' })).toContainText('Deploy with the deploy key');

  await page.goBack();
  await page.getByRole('tab', { name: 'Models' }).click();
  await expect(
    page.getByRole('main').getByRole('listitem').filter({ hasText: 'bge-small-en-v1.5' }),
  ).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
});
