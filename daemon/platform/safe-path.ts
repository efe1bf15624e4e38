import { isAbsolute, relative, sep } from 'node:path';

const LONGEST_PART = 255; // bytes; what file systems allow
const LONGEST = 1_024;
// Control characters, characters Windows reads as a drive, stream or folder, and names it does not allow.
const UNSAFE = /[\u0000-\u001f\u007f\\:*?"<>|]/;

/** Why a relative path would leave its folder on some system; null when it is safe. */
export function pathProblem(path: string): string | null {
  if (path.startsWith('/')) return 'is absolute';
  if (UNSAFE.test(path)) return 'has characters that mean something else on some systems';
  if (Buffer.byteLength(path) > LONGEST) return 'is too long';
  const parts = path.split('/');
  if (parts.includes('..') || parts.includes('.')) return 'leads out of its folder';
  if (parts.some((part) => part === '' || Buffer.byteLength(part) > LONGEST_PART || /[. ]$/.test(part)))
    return 'has a part that cannot be a file name';
  return null;
}

/** True for the folder itself and all that is below it; on Windows another drive is outside. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
