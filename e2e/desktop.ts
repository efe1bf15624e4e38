import { _electron, type ElectronApplication, expect, type Page } from '@playwright/test';
import path from 'node:path';
import type { Input, Method, Reply } from '#contract/methods.ts';
import { ROOT } from '../app/setup.mjs';
import { findTestElectron } from './test-electron.ts';
import type { World } from './world.ts';

/** The preload's additions to the window, as far as the tests use them. */
declare global {
  interface Window {
    daemon: { send(method: string, input: unknown): Promise<Reply>; shell: { platform: string } };
  }
}

export interface Desktop {
  app: ElectronApplication;
  main: Page;
  /** Calls the daemon as a page does. */
  send<M extends Method>(method: M, input: Input<M>): Promise<Reply>;
  /** The windows as the main process knows them. */
  windows(): Promise<{ url: string; visible: boolean; focused: boolean }[]>;
  /** The page of quick-search, once it exists. */
  quickSearch(): Promise<Page>;
  quit(): Promise<void>;
}

/** Root has no sandbox to be put into. */
export const desktopArgs = (flags: string[]): string[] => [
  ROOT,
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ...flags,
];

export async function openDesktop(world: World, flags: string[] = []): Promise<Desktop> {
  // Named to the electron package, not to Playwright: only for an Electron that it finds there does it hold the app
  // back until it watches; given a path it attaches late, and now and then misses the first window for ever.
  const electron = await findTestElectron();
  if (process.platform === 'linux') process.env['ELECTRON_OVERRIDE_DIST_PATH'] = path.dirname(electron);
  const env = Object.fromEntries(
    Object.entries(world.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const app = await _electron.launch({ args: desktopArgs(flags), env });
  const child = app.process(); // asked now: Playwright forgets it once the app has ended
  // Electron would show an error in a message box, which stops the app until somebody closes it.
  await app.evaluate(() => {
    const errors: string[] = [];
    Object.assign(globalThis, { errors });
    process.on('uncaughtException', (error) => errors.push(String(error.stack)));
  });
  const main = await app.firstWindow();
  const isQuickSearch = (page: Page) => page.url().includes('quick-search');
  return {
    app,
    main,
    send: (method, input) =>
      main.evaluate(([name, argument]) => window.daemon.send(name, argument), [method, input] as const),
    windows: () =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((window) => ({
          url: window.webContents.getURL(),
          visible: window.isVisible(),
          focused: window.isFocused(),
        })),
      ),
    async quickSearch() {
      await expect.poll(() => app.windows().some(isQuickSearch), 'quick-search has a window').toBe(true);
      return app.windows().find(isQuickSearch) ?? main;
    },
    async quit() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const errors = await app.evaluate(() => (globalThis as unknown as { errors: string[] }).errors);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      // The connection that carries the call ends with the app, so the answer may never come.
      await app.evaluate(({ app }) => setTimeout(() => app.quit(), 0)).catch(() => undefined);
      await ended;
      expect(errors, 'the main process had no uncaught error').toEqual([]);
    },
  };
}
