import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Starts the app without a window, as a login does. */
export const HIDDEN_FLAG = '--hidden';

/** Linux has no call for it: an entry in the autostart folder is how desktops are told. */
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
