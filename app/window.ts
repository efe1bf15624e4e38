import { type BrowserWindow, nativeTheme, screen } from 'electron';
import { ROUTE_CHANNEL } from './channels.ts';
import { createPageWindow } from './page-window.ts';
import { isReachable } from './placement.ts';
import type { PreferencesFile } from './preferences.ts';

const DEFAULT_SIZE = { width: 1280, height: 820 };
const WRITTEN_AFTER_MS = 1_000;

/** The background until the page has painted: the page's own surface, so that nothing flashes. */
export const surfaceColour = (): string => (nativeTheme.shouldUseDarkColors ? '#17181c' : '#fbfbfc');

/** Chromium writes what a page stores up to a minute later. Half a sentence survives even a crash of the app. */
function writeWhatIsTyped({ webContents }: BrowserWindow): void {
  let timer: NodeJS.Timeout | undefined;
  webContents.on('input-event', (_event, { type }) => {
    if (type !== 'keyUp') return;
    timer ??= setTimeout(() => {
      timer = undefined;
      webContents.session.flushStorageData();
    }, WRITTEN_AFTER_MS);
  });
}

interface MainWindow {
  /** Brings the window to the front, on the given route if there is one. */
  open: (route?: string) => void;
  /** From now on closing closes; before, it only hides. */
  release: () => void;
}

export function createMainWindow(preload: string, icon: string, preferences: PreferencesFile): MainWindow {
  let window: BrowserWindow | undefined;
  let releasing = false;

  function create(): BrowserWindow {
    const remembered = preferences.current.window;
    const usable =
      remembered &&
      isReachable(
        remembered,
        screen.getAllDisplays().map(({ workArea }) => workArea),
      );
    const { x, y, width, height } = usable ? remembered : { ...DEFAULT_SIZE, x: undefined, y: undefined };
    const created = createPageWindow('', preload, preferences, {
      title: 'Reflect',
      ...(x === undefined ? {} : { x, y }),
      width,
      height,
      minWidth: 720,
      minHeight: 480,
      icon,
      backgroundColor: surfaceColour(),
    });
    if (usable && remembered.maximized) created.maximize();
    writeWhatIsTyped(created);
    created.on('close', (event) => {
      preferences.change({ window: { ...created.getNormalBounds(), maximized: created.isMaximized() } });
      if (releasing) return;
      // Hidden, not closed: the tray keeps the app, and it opens again at once.
      event.preventDefault();
      created.hide();
    });
    created.on('closed', () => (window = undefined));
    return created;
  }

  return {
    open(route) {
      const opened = (window ??= create());
      const present = () => {
        if (opened.isMinimized()) opened.restore();
        opened.show();
        opened.focus();
        if (route !== undefined) opened.webContents.send(ROUTE_CHANNEL, route);
      };
      if (opened.webContents.isLoading()) opened.webContents.once('did-finish-load', present);
      else present();
    },
    release() {
      releasing = true;
    },
  };
}
