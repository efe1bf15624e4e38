import { type Dirent, realpathSync, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileStat } from '../platform/read-file.ts';
import { isInside } from '../platform/safe-path.ts';

export interface FoundFile {
  path: string;
  stat: Stats;
}

interface Search {
  /** The folder that is watched, in which the search begins or was led out of by a link. */
  watched: string;
  wanted: (path: string) => boolean;
  /** Folders not to be entered. */
  ignored: readonly string[];
  /** A link was followed: changes behind it are not reported where its folder is watched. */
  onLink?: () => void;
  onProblem: (path: string, error: unknown) => void;
  signal: AbortSignal;
}

/**
 * Every wanted file below a folder, folder by folder, so that a huge tree never holds the thread up. What cannot be
 * read is reported and skipped; a folder reached twice by links is entered once, and one around the watched
 * folder never: a link to `/` would have the whole disk searched.
 */
export async function* filesBelow(
  root: string,
  { watched, wanted, ignored, onLink, onProblem, signal }: Search,
): AsyncGenerator<FoundFile> {
  const entered = new Set<string>(ignored);
  const folders = [root];
  const realWatched = realPath(watched, () => {}) ?? watched;
  for (let folder = folders.pop(); folder !== undefined && !signal.aborted; folder = folders.pop()) {
    const real = realPath(folder, onProblem);
    if (real === null || entered.has(folder) || entered.has(real)) continue;
    if (real !== realWatched && isInside(real, realWatched)) continue;
    entered.add(real);
    for (const entry of await list(folder, onProblem)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isSymbolicLink() || (entry.isFile() && wanted(path))) {
        const stat = fileStat(path);
        if (stat && entry.isSymbolicLink()) onLink?.();
        if (stat?.isDirectory()) folders.push(path);
        else if (stat?.isFile() && wanted(path)) yield { path, stat };
      }
    }
  }
}

async function list(folder: string, onProblem: Search['onProblem']): Promise<Array<Dirent>> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    onProblem(folder, error);
    return [];
  }
}

function realPath(folder: string, onProblem: Search['onProblem']): string | null {
  try {
    return realpathSync(folder);
  } catch (error) {
    onProblem(folder, error);
    return null;
  }
}
