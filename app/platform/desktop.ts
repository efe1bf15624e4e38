import type { BrowserWindowConstructorOptions } from 'electron';

/** The app's name for Windows, which shows notifications only of apps it knows; the installer registers the same. */
export const APP_ID = 'dev.reflect.desktop';

/**
 * True where a click on the tray icon opens the window. On macOS it opens the menu, and Electron reports a click too
 * (electron#24200).
 */
export const opensOnTrayClick = (system: NodeJS.Platform): boolean => system !== 'darwin';

/**
 * On macOS quick-search is a panel: it takes the keyboard without making Reflect the active app, so that hiding it
 * leaves the person in the editor they came from (electron#41750).
 */
export const quickSearchOptions = (
  system: NodeJS.Platform,
): Pick<BrowserWindowConstructorOptions, 'type' | 'skipTaskbar'> =>
  system === 'darwin' ? { type: 'panel' } : { skipTaskbar: true };

/**
 * True where a window manager forgets with every hiding that a window belongs on all desktops; elsewhere saying it
 * again flickers.
 */
export const forgetsDesktops = (system: NodeJS.Platform): boolean => system === 'linux';

/** True where the app must tell the system that it opens `reflect://` links; on Linux the desktop entry does. */
export const registersLinks = (system: NodeJS.Platform, isPackaged: boolean): boolean =>
  system !== 'linux' && isPackaged;
