import { BrowserWindow, type BrowserWindowConstructorOptions } from 'electron';
import { OWN_ORIGIN } from './own-pages.ts';

/** A window for one of our own pages, with every door but the preload's shut. */
export function createPageWindow(
  page: string,
  preload: string,
  options: BrowserWindowConstructorOptions,
): BrowserWindow {
  const window = new BrowserWindow({
    show: false,
    autoHideMenuBar: true,
    ...options,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // With the two calls in sealSession this keeps Chromium from looking up a dictionary host.
      spellcheck: false,
    },
  });
  void window.loadURL(`${OWN_ORIGIN}/${page}`);
  return window;
}
