import { BrowserWindow, type BrowserWindowConstructorOptions, clipboard, Menu, shell } from 'electron';
import { contextMenu } from './context-menu.ts';
import { OWN_ORIGIN } from './own-pages.ts';
import { recoverPage } from './page-recovery.ts';
import type { PreferencesFile } from './preferences.ts';
import { zoomAfter } from './zoom.ts';

/** A window for one of our own pages, with every door but the preload's shut. */
export function createPageWindow(
  page: string,
  preload: string,
  preferences: PreferencesFile,
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
  recoverPage(window);
  offerContextMenu(window);
  keepZoom(window, preferences);
  void window.loadURL(`${OWN_ORIGIN}/${page}`).catch(() => undefined); // reported as 'did-fail-load' too
  return window;
}

function offerContextMenu(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, clicked) => {
    const items = contextMenu(clicked, {
      open: (address) => void shell.openExternal(address),
      copy: (address) => void clipboard.writeText(address),
    });
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window });
  });
}

/** All windows share one zoom, as they share one origin; Chromium forgets it with the app. */
function keepZoom({ webContents }: BrowserWindow, preferences: PreferencesFile): void {
  webContents.on('dom-ready', () => webContents.setZoomLevel(preferences.current.zoom));
  webContents.on('before-input-event', (event, pressed) => {
    const zoom = zoomAfter(webContents.getZoomLevel(), pressed, process.platform);
    if (zoom === undefined) return;
    event.preventDefault();
    webContents.setZoomLevel(zoom);
    preferences.change({ zoom });
  });
}
