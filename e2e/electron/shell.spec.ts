import { expect } from '@playwright/test';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { desktopArgs, openDesktop } from '../desktop.ts';
import { processesOf, startDaemon } from '../world.ts';
import { test } from './fixtures.ts';

const daemonPid = (home: string): number =>
  (JSON.parse(readFileSync(path.join(home, 'run', 'daemon.json'), 'utf8')) as { pid: number }).pid;

const hasKeyboard = spawnSync('xdotool', ['version']).status === 0;

test('the window opens on the learnings of a daemon that the app started', async ({ desktop }) => {
  await expect(desktop.main.getByRole('link', { name: 'Learnings' })).toHaveAttribute('aria-current', 'page');
  const listed = await desktop.send('learnings.list', { status: 'active', limit: 1 });
  if (!listed.ok) throw new Error(listed.code);
  const { total, items: [first] } = listed.value as { total: number; items: { title: string }[] };
  expect(total).toBeGreaterThanOrEqual(60);
  await expect(desktop.main.getByText(first?.title ?? 'a learning').first()).toBeVisible();
});

test('closing the window keeps the app; opening it again shows it as it was', async ({ desktop, world }) => {
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().forEach((window) => window.close()));
  expect(await desktop.windows()).toMatchObject([{ visible: false }]);
  const executable = await desktop.app.evaluate(() => process.execPath);
  // Starting the app a second time is how a desktop without a tray brings it back.
  execFileSync(executable, desktopArgs([]), { env: world.env, stdio: 'ignore' });
  await expect.poll(desktop.windows).toMatchObject([{ visible: true }]);
});

test('there is a tray icon', async ({ desktop: { app } }) => {
  const objects = await app.evaluate(({ Tray }) => process.getBuiltinModule('node:v8').queryObjects(Tray, { format: 'summary' }));
  // Electron's own prototype object is among them, and has no listeners.
  expect(objects.filter((object) => object.includes('_eventsCount'))).toHaveLength(1);
});

test('quick-search opens by its keys, finds as one types, and hides by Escape', async ({ desktop }) => {
  test.skip(!hasKeyboard, 'xdotool is missing, and nothing else can press keys for the whole desktop');
  await desktop.send('learnings.create', {
    note: { title: 'Regenerate the gRPC clients after editing a proto file', rule: 'Run make proto after every change of a .proto file.', scope: 'global' },
  });
  // The keys are grabbed once the app is ready, a moment after its window shows.
  await expect
    .poll(async () => {
      execFileSync('xdotool', ['key', 'ctrl+shift+space']);
      return (await desktop.windows()).some(({ url, visible }) => url.includes('quick-search') && visible);
    }, { intervals: [1_000] })
    .toBe(true);
  const quickSearch = await desktop.quickSearch();
  await quickSearch.getByRole('combobox').fill('grpc clients');
  await expect(quickSearch.getByRole('option').first()).toContainText('Regenerate the gRPC clients');
  await quickSearch.keyboard.press('Escape');
  await expect.poll(async () => (await desktop.windows()).filter(({ visible }) => visible).length).toBe(1);
});

test('quick-search also opens by starting the app with --quick-search', async ({ desktop, world }) => {
  const executable = await desktop.app.evaluate(() => process.execPath);
  execFileSync(executable, desktopArgs(['--quick-search']), { env: world.env, stdio: 'ignore' });
  await expect((await desktop.quickSearch()).getByRole('combobox')).toBeVisible();
});

test('a daemon that is killed is started again, and the window goes on', async ({ desktop, world }) => {
  await expect.poll(async () => (await desktop.send('status', {})).ok).toBe(true);
  const killed = daemonPid(world.home);
  process.kill(killed, 'SIGKILL');
  await expect.poll(async () => daemonPid(world.home) !== killed && (await desktop.send('status', {})).ok).toBe(true);
  await expect(desktop.main.getByRole('link', { name: 'Learnings' })).toBeVisible();
});

test('Quit stops the daemon that the app started and leaves no process', async ({ desktop, world }) => {
  await expect.poll(async () => (await desktop.send('status', {})).ok).toBe(true);
  expect(processesOf(world)).not.toEqual([]);
  await desktop.quit();
  await expect.poll(() => processesOf(world)).toEqual([]);
});

test('a daemon that ran before is adopted, and left running by Quit', async ({ world }) => {
  const daemon = await startDaemon(world, []);
  try {
    const before = daemon.pid();
    const desktop = await openDesktop(world);
    expect(await desktop.send('status', {})).toMatchObject({ ok: true, value: { pid: before } });
    await desktop.quit();
    expect(await daemon.call('status', {})).toMatchObject({ pid: before });
  } finally {
    await daemon.stop();
  }
});

test('the window comes back where it was left', async ({ world }) => {
  const place = { x: 90, y: 70, width: 1000, height: 640 };
  const first = await openDesktop(world);
  await first.app.evaluate(({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds), place);
  await first.quit();
  const second = await openDesktop(world);
  const bounds = await second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
  await second.quit();
  expect(bounds).toMatchObject({ width: place.width, height: place.height });
});
