import { type BrowserWindow, globalShortcut, screen } from 'electron';
import { createPageWindow } from './page-window.ts';
import { isReachable, quickSearchPlace } from './placement.ts';
import type { PreferencesFile } from './preferences.ts';
import { surfaceColour } from './window.ts';

const SIZE = { width: 640, height: 440 };

export interface QuickSearch {
  toggle(): void;
  hide(): void;
}

export function createQuickSearch(preload: string, preferences: PreferencesFile): QuickSearch {
  let window: BrowserWindow | undefined;

  function create(): BrowserWindow {
    const created = createPageWindow('quick-search.html', preload, {
      ...SIZE,
      title: 'Reflect quick-search',
      frame: false,
      resizable: false,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
      backgroundColor: surfaceColour(),
    });
    created.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true });
    created.on('blur', hide);
    created.on('moved', () => {
      const [x = 0, y = 0] = created.getPosition();
      preferences.change({ quickSearch: { x, y } });
    });
    created.webContents.on('before-input-event', (_event, { type, key }) => {
      if (type === 'keyDown' && key === 'Escape') hide();
    });
    created.on('closed', () => (window = undefined));
    return created;
  }

  function show(): void {
    const shown = (window ??= create());
    const { x, y } = place();
    shown.setPosition(x, y);
    shown.show();
    shown.focus();
  }

  function place() {
    const remembered = preferences.current.quickSearch;
    const screens = screen.getAllDisplays().map(({ workArea }) => workArea);
    if (remembered && isReachable({ ...remembered, ...SIZE }, screens)) return remembered;
    return quickSearchPlace(SIZE.width, screen.getDisplayNearestPoint(screen.getCursorScreenPoint()).workArea);
  }

  function hide(): void {
    window?.hide();
  }

  return { toggle: () => (window?.isVisible() ? hide() : show()), hide };
}

/** False when another program holds the keys; the tray's menu and `--quick-search` still open it. */
export function listenForShortcut(shortcut: string, onPress: () => void): boolean {
  try {
    return globalShortcut.register(shortcut, onPress);
  } catch {
    return false; // what the environment names is no accelerator
  }
}
