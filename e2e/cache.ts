import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

export const cacheFolder = (name: string): string =>
  path.join(process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache'), 'reflect', name);

/** The named cache folder, filled once: a fill that fails or is killed leaves nothing that looks finished. */
export async function filledOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = cacheFolder(name);
  if (existsSync(folder)) return folder;
  await mkdir(path.dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    await fill(draft);
    await rename(draft, folder);
  } catch (problem) {
    await rm(draft, { recursive: true, force: true });
    // Another run was quicker: what it filled is as good as ours.
    if (!existsSync(folder)) throw problem;
  }
  return folder;
}
