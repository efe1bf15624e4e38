import {
  chmodSync,
  existsSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { writeFileAtomic } from '../../platform/files.ts';
import { readBytes, UnreadableFile } from '../../platform/read-file.ts';
import { InstallError } from '../problems.ts';
import { messageOf } from '#contract/errors.ts';

/** Claude Code keeps its history in the same file, so it can be long. */
const LARGEST_CONFIG = { largest: 64 * 1024 * 1024 }; // bytes

/** Resolves a symbolic link, so that the link stays and its target is edited. */
export function linked(file: string): string {
  try {
    if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file;
    return existsSync(file) ? realpathSync(file) : resolve(dirname(file), readlinkSync(file));
  } catch (error) {
    throw new InstallError(`${file} cannot be reached: ${messageOf(error)}`);
  }
}

/** Returns null when there is no such file and refuses anything that is not UTF-8 text. */
export function readConfig(file: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readBytes(file, LARGEST_CONFIG));
  } catch (error) {
    if (error instanceof UnreadableFile && error.isMissing) return null;
    throw new InstallError(error instanceof TypeError ? `${file} is not UTF-8 text` : messageOf(error));
  }
}

/** Checks before the first write: an atomic rename would replace even a file that its owner made read-only. */
export function refuseReadOnly(file: string): void {
  if (existsSync(file) && (statSync(file).mode & 0o200) === 0) {
    throw new InstallError(
      `${file} is read-only; make it writable, or ask whatever manages it (Nix, a dotfile manager) to add the entries that --dry-run shows`,
    );
  }
}

const OWNERS_ALONE = 0o600;

/** Writes the text, or deletes the file when it is null. An existing file keeps its permissions. */
export function writeConfig(file: string, text: string | null): void {
  try {
    if (text === null) {
      rmSync(file, { force: true });
      return;
    }
    const mode = existsSync(file) ? statSync(file).mode & 0o777 : OWNERS_ALONE;
    writeFileAtomic(file, text, mode);
    chmodSync(file, mode); // the umask may have removed some
  } catch (error) {
    throw new InstallError(`${file} cannot be written: ${messageOf(error)}`);
  }
}

/** Folders that do not exist yet on the way to a file, innermost first. */
export function missingFolders(file: string): string[] {
  const folder = dirname(file);
  return existsSync(folder) ? [] : [folder, ...missingFolders(folder)];
}

/** Removes the folders that are still empty. */
export function removeEmptyFolders(folders: string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder);
    } catch {
      return; // in use by now, and so are its parents
    }
  }
}
