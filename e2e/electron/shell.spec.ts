import { expect } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { desktopArgs, openDesktop } from '../desktop.ts';
import { processesOf, startDaemon } from '../world.ts';
import { sharedTest, test } from './fixtures.ts';

const daemonPid = (home: string): number =>
  (JSON.parse(readFileSync(path.join(home, 'run', 'daemon.json'), 'utf8')) as { pid: number }).pid;

sharedTest('the app starts a daemon, and the window shows its learnings', async ({ desktop }) => {
  await expect(desktop.main.getByRole('navigation').getByRole('link', { name: 'Learnings' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  const listed = await desktop.send('learnings.list', { status: 'active', limit: 1 });
  if (!listed.ok) throw new Error(listed.code);
  const {
    total,
    items: [first],
  } = listed.value as { total: number; items: { title: string }[] };
  expect(total).toBeGreaterThanOrEqual(50);
  await expect(desktop.main.getByText(first?.title ?? 'a learning').first()).toBeVisible();
});

sharedTest(
  'closing the window keeps the app running, and starting it again shows the window',
  async ({ desktop, world }) => {
    await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().forEach((window) => window.close()),
    );
    expect(await desktop.windows()).toMatchObject([{ visible: false }]);
    const executable = await desktop.app.evaluate(() => process.execPath);
    // Starting the app a second time is how a desktop without a tray brings it back.
    execFileSync(executable, desktopArgs([]), { env: world.env, stdio: 'ignore' });
    await expect.poll(desktop.windows).toMatchObject([{ visible: true }]);
  },
);

test('a killed daemon is restarted, and the window keeps working', async ({ desktop, world }) => {
  await expect.poll(async () => (await desktop.send('status', {})).ok).toBe(true);
  const killed = daemonPid(world.home);
  process.kill(killed, 'SIGKILL');
  // Asked over the bridge: the run file is gone for a moment while the daemon is restarted.
  await expect
    .poll(async () => {
      const reply = await desktop.send('status', {});
      return reply.ok && (reply.value as { pid: number }).pid !== killed;
    })
    .toBe(true);
  await expect(desktop.main.getByRole('navigation').getByRole('link', { name: 'Learnings' })).toBeVisible();
});

test('Quit stops the daemon that the app started and every other process', async ({ desktop, world }) => {
  await expect.poll(async () => (await desktop.send('status', {})).ok).toBe(true);
  expect(processesOf(world)).not.toEqual([]);
  await desktop.quit();
  await expect.poll(() => processesOf(world)).toEqual([]);
});

test('a daemon that was already running is used, and Quit leaves it running', async ({ world }) => {
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

test('the window remembers its size', async ({ world }) => {
  const place = { x: 90, y: 70, width: 1000, height: 640 };
  const first = await openDesktop(world);
  await first.app.evaluate(
    ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
    place,
  );
  await first.quit();
  const second = await openDesktop(world);
  const bounds = await second.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.getBounds(),
  );
  await second.quit();
  expect(bounds).toMatchObject({ width: place.width, height: place.height });
});
