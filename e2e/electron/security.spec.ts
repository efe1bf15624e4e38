import { type ElectronApplication, expect, type Page } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../app/setup.mjs';
import { sharedTest as test } from './fixtures.ts';

declare global {
  interface Window {
    /** Adds to the page and returns what was added; set by a test. */
    put(html: string, selector: string): HTMLElement;
  }
}

test('a page sees the bridge and nothing else of Node or Electron', async ({ desktop: { main } }) => {
  const seen = await main.evaluate(() => ({
    bridge: Object.keys(window.daemon).sort(),
    shell: Object.keys(window.daemon.shell).sort(),
    node: ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in globalThis),
    address: location.origin,
    secure: isSecureContext,
  }));
  expect(seen).toEqual({
    bridge: ['onEvent', 'onLink', 'send', 'shell'],
    shell: [
      'chooseExport',
      'chooseImport',
      'copy',
      'hideQuickSearch',
      'onRoute',
      'onUpdate',
      'openAddress',
      'openMain',
      'platform',
      'readyUpdate',
      'restartToUpdate',
      'startDaemon',
    ],
    node: [],
    address: 'app://reflect',
    secure: true,
  });
});

test('every window is sandboxed, isolated and without spell-check', async ({ desktop: { app } }) => {
  const preferences = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) => {
      // Typed by no one, but it is the only way to ask what a window was really made with.
      const contents = webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
      const { sandbox, contextIsolation, nodeIntegration, webviewTag } = contents.getLastWebPreferences();
      return {
        sandbox,
        contextIsolation,
        nodeIntegration,
        webviewTag,
        spellChecker: webContents.session.isSpellCheckerEnabled(),
      };
    }),
  );
  expect(preferences.length).toBeGreaterThan(0);
  for (const window of preferences) {
    expect(window).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellChecker: false,
    });
  }
});

test('a page cannot navigate away, open a window or reach the network', async ({
  desktop: { app, main },
  world,
}) => {
  await expect(main.getByRole('navigation')).toBeVisible();
  expect(await main.evaluate(() => window.open('https://example.org/'))).toBeNull();
  const file = path.join(world.repository, 'dropped.html');
  writeFileSync(file, '<h1>dropped</h1>');
  const escapes: (() => Promise<unknown>)[] = [
    () => main.evaluate(() => void (location.href = 'https://example.org/')),
    () => main.evaluate(() => void (location.href = 'data:text/html,escaped')),
    () => main.evaluate(() => location.replace('file:///etc/hostname')),
    () =>
      main.evaluate(() => window.put('<a href="https://example.org/" target="_blank">x</a>', 'a').click()),
    () => main.evaluate(() => window.put('<a href="https://example.org/">x</a>', 'a').click()),
    () => main.evaluate(() => window.put('<a href="https://example.org/" download="x">x</a>', 'a').click()),
    () =>
      main.evaluate(() =>
        (
          window.put('<form method="post" action="https://example.org/"></form>', 'form') as HTMLFormElement
        ).submit(),
      ),
    () =>
      main.evaluate(() =>
        window.put('<meta http-equiv="refresh" content="0;url=https://example.org/">', 'meta'),
      ),
    () => main.evaluate(() => window.put('<iframe src="https://example.org/"></iframe>', 'iframe')),
    () => main.evaluate(() => window.put('<iframe src="data:text/html,framed"></iframe>', 'iframe')),
    () => main.evaluate(() => window.put('<webview src="https://example.org/"></webview>', 'webview')),
    () => main.evaluate(() => window.put('<object data="https://example.org/"></object>', 'object')),
    () => dropFile(app, main, file),
  ];
  await main.evaluate(() => {
    window.put = (html, selector) => {
      document.body.insertAdjacentHTML('beforeend', html);
      return document.querySelector<HTMLElement>(`body > ${selector}:last-of-type`) ?? document.body;
    };
  });
  for (const escape of escapes) await escape();
  const reached = await main.evaluate(() =>
    fetch('https://example.org/').then(
      () => 'reached',
      () => 'refused',
    ),
  );
  expect(reached).toBe('refused');
  await main.waitForTimeout(500); // a way out that opens is open by now
  // Asked of the page itself: Playwright still waits for the navigations that were refused.
  expect(
    await main.evaluate(() => [location.host, document.querySelector('nav')?.checkVisibility()]),
  ).toEqual(['reflect', true]);
  expect(
    main
      .frames()
      .map((frame) => frame.url())
      .filter((url) => /^(https?|data|file):/.test(url)),
  ).toEqual([]);
  expect(app.windows()).toHaveLength(1);
  expect(
    await app.evaluate(({ webContents }) =>
      webContents.getAllWebContents().map((contents) => contents.getType()),
    ),
  ).toEqual(['window']);
});

/** As a file manager does it, over the page's own debugger: Playwright has no hand to drag a file with. */
async function dropFile(app: ElectronApplication, main: Page, file: string): Promise<void> {
  const session = await app.context().newCDPSession(main);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
  await session.detach();
}

test('only our own top frame is answered, not another page and not a frame within ours', async ({
  desktop: { app, main },
}) => {
  const asked = await app.evaluate(
    async ({ BrowserWindow }, preload) => {
      const ask = `Promise.all([window.daemon.send('status', {}), window.daemon.shell.copy('stolen')].map((call) => call.then(() => 'answered', ({ message }) => message)))`;
      const stranger = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
      await stranger.loadURL('data:text/html,<title>stranger</title>');
      const fromStranger = (await stranger.webContents.executeJavaScript(ask)) as string[];
      stranger.destroy();

      // Our own page once more, but with the bridge in its frames too, which no window of ours has.
      const framing = new BrowserWindow({
        show: false,
        webPreferences: { preload, sandbox: true, nodeIntegrationInSubFrames: true },
      });
      await framing.loadURL('app://reflect/');
      const fromOwn = (await framing.webContents.executeJavaScript(ask)) as string[];
      await framing.webContents.executeJavaScript(`new Promise((done) => {
      const frame = document.createElement('iframe');
      frame.srcdoc = '<p>framed</p>';
      frame.onload = done;
      document.body.append(frame);
    }).then(() => undefined)`);
      const [frame] = framing.webContents.mainFrame.frames;
      const fromFrame = (await frame?.executeJavaScript(ask)) as string[];
      framing.destroy();
      return { fromStranger, fromOwn, fromFrame };
    },
    path.join(ROOT, 'dist', 'app', 'preload.cjs'),
  );
  const refused = expect.stringContaining('This page is not allowed to call Reflect.');
  expect(asked).toEqual({
    fromStranger: [refused, refused],
    fromOwn: ['answered', 'answered'],
    fromFrame: [refused, refused],
  });
  expect(await main.evaluate(() => window.daemon.send('status', {}))).toMatchObject({ ok: true });
});

test('the desktop refuses calls with bad arguments', async ({ desktop: { app, main } }) => {
  const refusals = await app.evaluate(async ({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    const ask = (call: string) =>
      window?.webContents.executeJavaScript(`${call}.then(() => 'done', () => 'refused')`) as Promise<string>;
    return Promise.all([
      ask("window.daemon.shell.openAddress('file:///etc/passwd')"),
      ask("window.daemon.shell.openAddress('javascript:alert(1)')"),
      ask("window.daemon.shell.openAddress('smb://example.org/share')"),
      ask('window.daemon.shell.copy(7)'),
      ask("window.daemon.shell.copy('x'.repeat(2_000_000))"),
      ask('window.daemon.shell.chooseExport({})'),
      ask('window.daemon.shell.openMain()'),
    ]);
  });
  expect(refusals).toEqual(refusals.map(() => 'refused'));
  // With no update there is nothing to restart into, and nothing is ended for it.
  await main.evaluate(() =>
    (window.daemon.shell as unknown as { restartToUpdate(): Promise<void> }).restartToUpdate(),
  );
  expect(await main.evaluate(() => window.daemon.send('status', {}))).toMatchObject({ ok: true });
});

test('the policy forbids inline and evaluated script', async ({ desktop: { main } }) => {
  const policy = await main.evaluate(async () =>
    (await fetch(location.href)).headers.get('content-security-policy'),
  );
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe-eval');
  const ran = await main.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.inlineScriptRan = true';
    document.head.append(script);
    return 'inlineScriptRan' in window;
  });
  expect(ran).toBe(false);
});

test('files outside the built pages are not served', async ({ desktop: { main } }) => {
  const statuses = await main.evaluate(() =>
    Promise.all(
      [
        '/..%2f..%2fpackage.json',
        '/%2e%2e/app/main.js',
        '/assets/..%2f..%2fapp%2fmain.js',
        '/no-such.js',
      ].map((address) => fetch(address).then(({ status }) => status)),
    ),
  );
  expect(statuses).toEqual([404, 404, 404, 404]);
});

test('permissions are refused', async ({ desktop: { main } }) => {
  const answer = await main.evaluate(() =>
    navigator.mediaDevices.getUserMedia({ audio: true }).then(
      () => 'granted',
      (problem: unknown) => String(problem),
    ),
  );
  expect(answer).not.toBe('granted');
  expect(await main.evaluate(() => Notification.requestPermission())).toBe('denied');
  const names = ['geolocation', 'camera', 'microphone', 'clipboard-read', 'midi'];
  const states = await main.evaluate(
    (wanted) =>
      Promise.all(
        wanted.map((name) =>
          navigator.permissions.query({ name: name as PermissionName }).then(({ state }) => state),
        ),
      ),
    names,
  );
  expect(states).toEqual(names.map(() => 'denied'));
});

test('an unknown method or bad input is refused with its code', async ({ desktop: { main } }) => {
  expect(await main.evaluate(() => window.daemon.send('no.such.method', {}))).toMatchObject({
    ok: false,
    code: 'unknown-method',
  });
  expect(await main.evaluate(() => window.daemon.send('learnings.get', { id: 7 }))).toMatchObject({
    ok: false,
    code: 'bad-input',
  });
});
