import { expect } from '@playwright/test';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { desktopArgs, type Desktop, openDesktop } from '../desktop.ts';
import type { World } from '../world.ts';
import { sharedTest as test, test as ownTest } from './fixtures.ts';

// One note and no other, so that it is the first to be found.
test.use({ sharedDemo: false });
ownTest.use({ demo: false });

const hasKeyboard = spawnSync('xdotool', ['version']).status === 0;
const NOTE = {
  title: 'Regenerate the gRPC clients after editing a proto file',
  rule: 'Run make proto after every change of a .proto file.',
  scope: 'global' as const,
};

/** Starting the app again is how a desktop without global keys asks for it. */
async function openQuickSearch(desktop: Desktop, world: World) {
  await expect(desktop.main.getByRole('navigation')).toBeVisible(); // the main window takes the focus once it is loaded
  const executable = await desktop.app.evaluate(() => process.execPath);
  execFileSync(executable, desktopArgs(['--quick-search']), { env: world.env, stdio: 'ignore' });
  const page = await desktop.quickSearch();
  await expect.poll(() => isOpen(desktop)).toBe(true);
  return page;
}

const isOpen = async (desktop: Desktop) =>
  (await desktop.windows()).some(({ url, visible }) => url.includes('quick-search') && visible);

async function searchForNote(desktop: Desktop, world: World) {
  await desktop.send('learnings.create', { note: NOTE });
  const page = await openQuickSearch(desktop, world);
  await page.getByRole('combobox').fill('grpc clients');
  await expect(page.getByRole('option').first()).toContainText(NOTE.title);
  return page;
}

test('the shortcut opens it, typing searches, Escape hides it', async ({ desktop }) => {
  test.skip(!hasKeyboard, 'xdotool is missing, and nothing else can press keys for the whole desktop');
  await desktop.send('learnings.create', { note: NOTE });
  // The keys are grabbed once the app is ready, a moment after its window shows.
  await expect
    .poll(
      async () => {
        execFileSync('xdotool', ['key', 'ctrl+shift+space']);
        return isOpen(desktop);
      },
      { intervals: [1_000] },
    )
    .toBe(true);
  const page = await desktop.quickSearch();
  // Found before a word is finished.
  await page.getByRole('combobox').fill('grp cli');
  await expect(page.getByRole('option').first()).toContainText(NOTE.title);
  await page.keyboard.press('Escape');
  await expect.poll(() => isOpen(desktop)).toBe(false);
});

test('Enter copies the rule and hides it; the next time it is empty', async ({ desktop, world }) => {
  const page = await searchForNote(desktop, world);
  await page.keyboard.press('Enter');
  await expect.poll(() => isOpen(desktop)).toBe(false);
  expect(await desktop.app.evaluate(({ clipboard }) => clipboard.readText())).toBe(NOTE.rule);
  await openQuickSearch(desktop, world);
  await expect(page.getByRole('combobox')).toHaveValue('');
});

test('Ctrl or ⌘ with Enter opens the learning in the main window', async ({ desktop, world }) => {
  await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().forEach((window) => window.hide()),
  );
  const page = await searchForNote(desktop, world);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(() => isOpen(desktop)).toBe(false);
  await expect(desktop.main.getByRole('region', { name: 'Learning' })).toContainText(NOTE.title);
  expect((await desktop.windows()).filter(({ visible }) => visible)).toHaveLength(1);
});

test('→ shows a result, ← returns to the list', async ({ desktop, world }) => {
  const page = await searchForNote(desktop, world);
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('region', { name: 'Learning' })).toContainText(NOTE.rule);
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('region', { name: 'Learning' })).toBeHidden();
});

test('it is on every workspace and above other windows, and a second call hides it', async ({
  desktop,
  world,
}) => {
  await openQuickSearch(desktop, world);
  const standing = () =>
    desktop.app.evaluate(({ BrowserWindow }) => {
      const found = BrowserWindow.getAllWindows().find(({ webContents }) =>
        webContents.getURL().includes('quick-search'),
      );
      return {
        everywhere: found?.isVisibleOnAllWorkspaces(),
        above: found?.isAlwaysOnTop(),
        resizable: found?.isResizable(),
      };
    });
  await expect.poll(standing).toEqual({ everywhere: true, above: true, resizable: false });
  const executable = await desktop.app.evaluate(() => process.execPath);
  execFileSync(executable, desktopArgs(['--quick-search']), { env: world.env, stdio: 'ignore' });
  await expect.poll(() => isOpen(desktop)).toBe(false);
});

const position = (desktop: Desktop) =>
  desktop.app.evaluate(({ BrowserWindow }) => {
    const found = BrowserWindow.getAllWindows().find(({ webContents }) =>
      webContents.getURL().includes('quick-search'),
    );
    const { x = 0, y = 0 } = found?.getBounds() ?? {};
    return { x, y };
  });

/** As a hand does: held by its lower edge. */
function drag(from: { x: number; y: number }, by: { x: number; y: number }): void {
  const hold = { x: from.x + 320, y: from.y + 428 };
  const pointer = (...commands: (string | number)[]) =>
    execFileSync('xdotool', [...commands.map(String), 'sleep', '0.1']);
  pointer('mousemove', hold.x, hold.y);
  pointer('mousedown', 1);
  for (const share of [0.25, 0.5, 0.75, 1])
    pointer('mousemove', Math.round(hold.x + share * by.x), Math.round(hold.y + share * by.y));
  pointer('mouseup', 1);
}

ownTest('it remembers where it was dragged, also after a restart', async ({ desktop, world }) => {
  ownTest.skip(!hasKeyboard, 'xdotool is missing, and nothing else can drag a window');
  await expect((await openQuickSearch(desktop, world)).getByRole('combobox')).toBeFocused();
  const before = await position(desktop);
  // The first hold may come before the window manager has drawn it.
  await expect(async () => {
    drag(before, { x: -160, y: 120 });
    expect(await position(desktop)).not.toEqual(before);
  }).toPass();
  const place = await position(desktop);
  expect(place.x).toBeLessThan(before.x);
  expect(place.y).toBeGreaterThan(before.y);
  const preferences = path.join(world.home, 'app', 'shell.json');
  await expect
    .poll(() => (existsSync(preferences) ? (JSON.parse(readFileSync(preferences, 'utf8')) as object) : {}))
    .toMatchObject({ quickSearch: place });
  await desktop.quit();

  const second = await openDesktop(world);
  await openQuickSearch(second, world);
  expect(await position(second)).toEqual(place);
  await second.quit();
});
