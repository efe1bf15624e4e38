import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Starts the app without a window, as a login does. */
const HIDDEN_FLAG = '--hidden';

/** The app as a login would start it. */
interface AppStart {
  executable: string;
  /** Of a clone, whose Electron has to be told what to run; null for a packed app. */
  appPath: string | null;
  /** The file of an AppImage, whose executable has a different path at every start. */
  appImage: string | undefined;
}

/** How a system is told to start the app at login: with a file of ours, or with Electron's call. */
type LoginItem =
  | { kind: 'autostart-file'; command: string[] }
  | { kind: 'setting'; settings: { openAtLogin: boolean; args?: string[] } };

export function loginItem(
  system: NodeJS.Platform,
  { executable, appPath, appImage }: AppStart,
  on: boolean,
): LoginItem {
  const own = appPath === null ? [] : [appPath];
  if (system === 'linux')
    return { kind: 'autostart-file', command: [appImage ?? executable, ...own, HIDDEN_FLAG] };
  // macOS passes no arguments to a login item; `opensHidden` knows such a start by itself.
  if (system === 'darwin') return { kind: 'setting', settings: { openAtLogin: on } };
  const args = [...own.map((file) => `"${file}"`), HIDDEN_FLAG];
  return { kind: 'setting', settings: { openAtLogin: on, args } };
}

/** True when nobody asked for a window: the system started the app at login. */
export function opensHidden(
  system: NodeJS.Platform,
  argv: readonly string[],
  wasOpenedAtLogin: () => boolean,
): boolean {
  return argv.includes(HIDDEN_FLAG) || (system === 'darwin' && wasOpenedAtLogin());
}

/** Linux has no call for it: an entry in the autostart folder is how desktops learn of it. */
export function writeAutostart(configHome: string, command: readonly string[], on: boolean): void {
  const file = path.join(configHome, 'autostart', 'reflect.desktop');
  if (!on) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(
    file,
    [
      '[Desktop Entry]',
      'Type=Application',
      'Name=Reflect',
      `Exec=${command.map(quoted).join(' ')}`,
      'X-GNOME-Autostart-enabled=true',
      '',
    ].join('\n'),
  );
}

/** As the Desktop Entry Specification quotes an argument; a percent sign would be a field code. */
const quoted = (argument: string): string =>
  `"${argument.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
