import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Fetched weights live in the user's cache folder: they can be downloaded again and every home shares them. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env.REFLECT_MODELS_DIR) return env.REFLECT_MODELS_DIR;
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'reflect', 'models');
  if (process.platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'reflect', 'models');
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'reflect', 'models');
}

/** The folder of the weights inside a packaged app; null outside of one. */
export function bundledFolder(env: NodeJS.ProcessEnv): string | null {
  if (env.REFLECT_BUNDLED_MODELS) return env.REFLECT_BUNDLED_MODELS;
  // Only Electron has this property.
  const { resourcesPath } = process as { resourcesPath?: string };
  return resourcesPath ? join(resourcesPath, 'models') : null;
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}
