import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { writeFileAtomic } from '../../platform/files.ts';
import { InstallError } from '../problems.ts';

/** The file that a path leads to: a link is kept, and what it points to is edited. */
export function linked(file: string): string {
  try {
    if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file;
    return existsSync(file) ? realpathSync(file) : resolve(dirname(file), readlinkSync(file));
  } catch (error) {
    throw new InstallError(`${file} cannot be reached: ${messageOf(error)}`);
  }
}

/** Null when there is no such file; what is not text is refused. */
export function readConfig(file: string): string | null {
  if (!existsSync(file)) return null;
  if (!statSync(file).isFile()) throw new InstallError(`${file} is not a file`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    throw new InstallError(
      error instanceof TypeError
        ? `${file} is not UTF-8 text`
        : `${file} cannot be read: ${messageOf(error)}`,
    );
  }
}

/** Refused while nothing has been written yet, for a rename would go over a file that its owner made read-only. */
export function refuseReadOnly(file: string): void {
  if (existsSync(file) && (statSync(file).mode & 0o200) === 0) {
    throw new InstallError(
      `${file} is read-only; make it writable, or ask whatever manages it (Nix, a dotfile manager) to add the entries that --dry-run shows`,
    );
  }
}

const OWNERS_ALONE = 0o600;

/** Null deletes. The permissions of a file that was there stay. */
export function writeConfig(file: string, text: string | null): void {
  try {
    if (text === null) {
      rmSync(file, { force: true });
      return;
    }
    const mode = existsSync(file) ? statSync(file).mode & 0o777 : OWNERS_ALONE;
    writeFileAtomic(file, text, mode);
    chmodSync(file, mode); // what the file had may be more than the umask lets through
  } catch (error) {
    throw new InstallError(`${file} cannot be written: ${messageOf(error)}`);
  }
}

/** The folders that have to be made for a file, innermost first. */
export function missingFolders(file: string): string[] {
  const folder = dirname(file);
  return existsSync(folder) ? [] : [folder, ...missingFolders(folder)];
}

/** Removes those of the folders that nobody put anything into. */
export function removeEmptyFolders(folders: string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder);
    } catch {
      return; // in use by now, and so are its parents
    }
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
