import { type BrowserWindow, globalShortcut, screen } from 'electron';
import { createPageWindow } from './page-window.ts';
import { quickSearchPlace } from './placement.ts';
import { forgetsDesktops, quickSearchOptions } from './platform/desktop.ts';
import type { Point, PreferencesFile } from './preferences.ts';
import { surfaceColour } from './window.ts';

const SIZE = { width: 640, height: 440 };
const PANEL = {
  ...SIZE,
  title: 'Reflect quick-search',
  frame: false,
  resizable: false,
  minimizable: false,
  maximizable: false,
  fullscreenable: false,
  alwaysOnTop: true,
};
const SETTLED_MS = 200;

export interface QuickSearch {
  toggle: () => void;
  hide: () => void;
}

export function createQuickSearch(preload: string, preferences: PreferencesFile): QuickSearch {
  let window: BrowserWindow | undefined;
  let placed: Point = { x: 0, y: 0 };
  let settling: NodeJS.Timeout | undefined;

  function create(): BrowserWindow {
    const created = createPageWindow('quick-search.html', preload, preferences, {
      ...PANEL,
      ...quickSearchOptions(process.platform),
      backgroundColor: surfaceColour(),
    });
    showEverywhere(created);
    created.on('blur', hide);
    // Not 'moved', which Linux does not tell: while a hand moves it this comes many times.
    created.on('move', () => {
      clearTimeout(settling);
      settling = setTimeout(() => rememberPlace(created), SETTLED_MS);
    });
    created.webContents.on('before-input-event', (_event, { type, key }) => {
      if (type === 'keyDown' && key === 'Escape') hide();
    });
    created.on('closed', () => {
      clearTimeout(settling);
      window = undefined;
    });
    return created;
  }

  /** On the screen where the person is, at the place it was last put on any screen. */
  function show(): void {
    const shown = (window ??= create());
    placed = quickSearchPlace(
      SIZE,
      screen.getDisplayNearestPoint(screen.getCursorScreenPoint()).workArea,
      preferences.current.quickSearch,
    );
    shown.setPosition(placed.x, placed.y);
    shown.show();
    if (forgetsDesktops(process.platform)) showEverywhere(shown);
    shown.focus();
  }

  /** Only what a person moved is remembered, relative to the screen it is on. */
  function rememberPlace(moved: BrowserWindow): void {
    const { x, y } = moved.getBounds();
    if (!moved.isVisible() || (x === placed.x && y === placed.y)) return;
    placed = { x, y };
    const { workArea } = screen.getDisplayMatching(moved.getBounds());
    preferences.change({ quickSearch: { x: x - workArea.x, y: y - workArea.y } });
  }

  function hide(): void {
    window?.hide();
  }

  return { toggle: () => (window?.isVisible() ? hide() : show()), hide };
}

/** Also on the desktop, or above the full-screen app, where the person is now. */
function showEverywhere(window: BrowserWindow): void {
  window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true });
}

/** False when another program holds the keys; the tray's menu and `--quick-search` still open it. */
export function listenForShortcut(shortcut: string, onPress: () => void): boolean {
  try {
    return globalShortcut.register(shortcut, onPress);
  } catch {
    return false; // what the environment names is no accelerator
  }
}
