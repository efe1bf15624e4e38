import { expect, type Page } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { desktopArgs, openDesktop } from '../desktop.ts';
import { processesOf, reflect, startDaemon } from '../world.ts';
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
    // The same way a desktop passes on a link that somebody clicked.
    await desktop.main.goto('app://reflect/#/lab?q=grpc+deadline');
    await desktop.main.getByRole('button', { name: 'Copy link' }).click();
    await expect(desktop.main.getByText('Link copied')).toBeVisible();
    const link = await desktop.app.evaluate(({ clipboard }) => clipboard.readText());
    await desktop.main.goto('app://reflect/#/settings');
    execFileSync(executable, desktopArgs([link]), { env: world.env, stdio: 'ignore' });
    await expect(desktop.main.getByRole('textbox', { name: 'Question' })).toHaveValue('grpc deadline');
  },
);

sharedTest('the keyboard zooms the window, and a field has a context menu', async ({ desktop }) => {
  const zoom = () =>
    desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getZoomLevel()),
    );
  // Playwright's own keys go to the page alone.
  const press = (keyCode: string) =>
    desktop.app.evaluate(({ BrowserWindow }, pressed) => {
      for (const { webContents } of BrowserWindow.getAllWindows())
        webContents.sendInputEvent({ type: 'keyDown', keyCode: pressed, modifiers: ['control'] });
    }, keyCode);
  await press('=');
  await expect.poll(zoom).toEqual([0.5]);
  await desktop.main.reload();
  await expect.poll(zoom).toEqual([0.5]);
  await press('0');
  await expect.poll(zoom).toEqual([0]);

  await desktop.app.evaluate(({ Menu }) => {
    const shown: string[] = [];
    Object.assign(globalThis, { shown });
    // A menu that is open waits for a hand, and there is none here.
    Menu.prototype.popup = function () {
      shown.push(...this.items.map(({ label }) => label));
    };
  });
  await desktop.main.keyboard.press('ControlOrMeta+k');
  await desktop.main.getByRole('combobox', { name: 'Commands' }).click({ button: 'right' });
  await expect
    .poll(() => desktop.app.evaluate(() => (globalThis as unknown as { shown: string[] }).shown))
    .toContain('Paste');
});

sharedTest(
  'a page in a browser changes where programs read once the person allows it in the app',
  async ({ desktop, browser }) => {
    await desktop.app.evaluate(({ dialog }) => {
      const shown: string[] = [];
      Object.assign(globalThis, { shown });
      // A box that is open waits for a hand, and there is none here.
      dialog.showMessageBox = async (...[box]: unknown[]) => {
        shown.push((box as { detail: string }).detail);
        return { response: 1, checkboxChecked: false };
      };
    });
    const code = await desktop.send('ui.code', {});
    if (!code.ok) throw new Error(code.code);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto((code.value as { url: string }).url);
    await page.evaluate(() => (location.hash = '#/settings'));
    await page.getByRole('textbox', { name: 'Search settings' }).fill('REFLECT_MODES_DIR');
    const field = page.getByRole('main').locator('.knob').getByRole('textbox');
    await field.fill('/srv/modes');
    await field.press('Enter');
    await expect(page.getByText('set here')).toBeVisible();
    await context.close();
    const [asked] = await desktop.app.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
    expect(asked).toContain('wants to change REFLECT_MODES_DIR to "/srv/modes"');
    await desktop.send('config.set', { name: 'REFLECT_MODES_DIR', value: null });
  },
);

test('a killed daemon is restarted, and so is a window that crashed; what was typed is still there', async ({
  desktop,
  world,
}) => {
  await expect.poll(async () => (await desktop.send('status', {})).ok).toBe(true);
  await desktop.main.getByRole('button', { name: 'New' }).click();
  await desktop.main.getByRole('textbox', { name: 'Rule, in one sentence' }).fill('Half a thought');
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

  // Asked of the main process: Playwright's own page ends with the process that showed it.
  await desktop.app.evaluate(({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0] ?? {};
    webContents?.once('did-finish-load', () => Object.assign(globalThis, { isLoadedAgain: true }));
    webContents?.forcefullyCrashRenderer();
  });
  await expect
    .poll(() =>
      desktop.app.evaluate(() => (globalThis as unknown as { isLoadedAgain?: boolean }).isLoadedAgain),
    )
    .toBe(true);
  await expect
    .poll(() =>
      desktop.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
          `[...document.querySelectorAll('main button')].find((button) => button.textContent.includes('New'))?.click();
           document.querySelector('dialog input, dialog textarea')?.value`,
        ),
      ),
    )
    .toBe('Half a thought');
});

test('what was typed survives the sudden end of the app', async ({ world }) => {
  const { app, main } = await openDesktop(world, ['--demo']);
  // Chromium writes by itself, too, but up to a minute later.
  await app.evaluate(({ session: { defaultSession } }) => {
    const flush = defaultSession.flushStorageData.bind(defaultSession);
    defaultSession.flushStorageData = () => {
      flush();
      Object.assign(globalThis, { isWritten: true });
    };
  });
  const isWritten = () => app.evaluate(() => (globalThis as unknown as { isWritten?: boolean }).isWritten);
  const ruleIn = (page: Page) => page.getByRole('textbox', { name: 'Rule, in one sentence' });
  // Not `click`: it waits for two frames, and a window on a virtual display is sometimes without any.
  await main.getByRole('button', { name: 'New' }).dispatchEvent('click');
  await ruleIn(main).pressSequentially('Half a thought');
  await expect.poll(isWritten).toBe(true);
  const storage = path.join(world.home, 'app', 'Local Storage', 'leveldb');
  const onDisk = () =>
    readdirSync(storage).some((file) => readFileSync(path.join(storage, file)).includes('Half a thought'));
  await expect.poll(onDisk).toBe(true);
  const ended = once(app.process(), 'exit');
  app.process().kill('SIGKILL');
  await ended;

  const next = await openDesktop(world);
  await next.main.getByRole('button', { name: 'New' }).dispatchEvent('click');
  await expect(ruleIn(next.main)).toHaveValue('Half a thought');
  await next.quit();
  await reflect(world, ['stop']);
});

test('a daemon that cannot start is shown with its reason, and Start tries again', async ({ world }) => {
  const inTheWay = path.join(world.home, 'reflect.db');
  mkdirSync(inTheWay, { recursive: true });
  const desktop = await openDesktop(world);
  const start = desktop.main.getByRole('button', { name: 'Start the daemon' });
  const banner = desktop.main.getByRole('alert').filter({ has: start });
  await expect(banner).toContainText('The daemon did not start: EISDIR');
  rmdirSync(inTheWay);
  await start.click();
  await expect(banner).toBeHidden();
  expect(await desktop.send('status', {})).toMatchObject({ ok: true });
  await desktop.quit();
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
