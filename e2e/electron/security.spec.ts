import { expect } from '@playwright/test';
import { test } from './fixtures.ts';

test('a page has the bridge and nothing else of Node or Electron', async ({ desktop: { main } }) => {
  const seen = await main.evaluate(() => ({
    bridge: Object.keys(window.daemon).sort(),
    shell: Object.keys(window.daemon.shell).sort(),
    node: ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in globalThis),
    address: location.origin,
    secure: isSecureContext,
  }));
  expect(seen).toEqual({
    bridge: ['onEvent', 'send', 'shell'],
    shell: ['copy', 'hideQuickSearch', 'onRoute', 'openMain', 'platform'],
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
      return { sandbox, contextIsolation, nodeIntegration, webviewTag, spellChecker: webContents.session.isSpellCheckerEnabled() };
    }),
  );
  expect(preferences.length).toBeGreaterThan(0);
  for (const window of preferences) {
    expect(window).toEqual({
      sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false, spellChecker: false,
    });
  }
});

test('a page can neither leave, nor open another, nor reach the network', async ({ desktop: { app, main } }) => {
  expect(await main.evaluate(() => window.open('https://example.org/'))).toBeNull();
  await main.evaluate(() => {
    location.href = 'https://example.org/';
  });
  await main.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.src = 'https://example.org/';
    document.body.append(frame);
  });
  const reached = await main.evaluate(() => fetch('https://example.org/').then(() => 'reached', () => 'refused'));
  expect(reached).toBe('refused');
  expect(new URL(main.url()).host).toBe('reflect');
  expect(main.frames().filter((frame) => frame.url().startsWith('https:'))).toEqual([]);
  expect(app.windows()).toHaveLength(1);
});

test('the policy forbids inline and evaluated script', async ({ desktop: { main } }) => {
  const policy = await main.evaluate(async () => (await fetch(location.href)).headers.get('content-security-policy'));
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
      ['/..%2f..%2fpackage.json', '/%2e%2e/app/main.js', '/assets/..%2f..%2fapp%2fmain.js', '/no-such.js'].map((address) =>
        fetch(address).then(({ status }) => status),
      ),
    ),
  );
  expect(statuses).toEqual([404, 404, 404, 404]);
});

test('permissions are refused', async ({ desktop: { main } }) => {
  const answer = await main.evaluate(() =>
    navigator.mediaDevices.getUserMedia({ audio: true }).then(() => 'granted', (problem: Error) => problem.name),
  );
  expect(answer).not.toBe('granted');
  expect(await main.evaluate(() => Notification.requestPermission())).toBe('denied');
});

test('a call that is no call of the contract is refused with its code', async ({ desktop: { main } }) => {
  expect(await main.evaluate(() => window.daemon.send('no.such.method', {}))).toMatchObject({ ok: false, code: 'unknown-method' });
  expect(await main.evaluate(() => window.daemon.send('learnings.get', { id: 7 }))).toMatchObject({ ok: false, code: 'bad-input' });
});
