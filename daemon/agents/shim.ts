import { accessSync, chmodSync, constants } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { writeFileAtomic } from '../platform/files.ts';
import { readTextIfExists } from '../platform/read-file.ts';
import { InstallError } from './problems.ts';
import { type Launcher, shimText } from './launcher.ts';

const RUNNABLE = 0o755;

/** Writes the `reflect` command to a file and never replaces another program. Returns true if the file changed. */
export function writeShim(launcher: Launcher, file = launcher.shim): boolean {
  const text = shimText(launcher);
  const there = readTextIfExists(file);
  if (there === text) return false;
  if (there !== null && !there.includes('reflect.cjs'))
    throw new InstallError(`${file} is another program; move it or choose another folder`);
  writeFileAtomic(file, text, RUNNABLE);
  chmodSync(file, RUNNABLE); // whatever the umask is
  return true;
}

/** Path for the `reflect` command: a usual folder that is on the PATH and writable, otherwise Reflect's own. */
export function shimPath({ shim, platform }: Launcher, home: string, environment: NodeJS.ProcessEnv): string {
  const usual =
    platform === 'win32' ? [] : [join(home, '.local', 'bin'), '/opt/homebrew/bin', '/usr/local/bin'];
  return (
    usual
      .map((folder) => join(folder, basename(shim)))
      .find((file) => isOnPath(file, environment) && isWritable(dirname(file))) ?? shim
  );
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** True if the folder of a file is on the PATH. */
export const isOnPath = (file: string, environment: NodeJS.ProcessEnv): boolean =>
  (environment.PATH ?? '').split(delimiter).includes(dirname(file));
