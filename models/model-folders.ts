import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Where fetched weights are kept: in the user's cache, since they can be had again and are the same for every home. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  if (env.REFLECT_MODELS_DIR) return env.REFLECT_MODELS_DIR;
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'reflect', 'models');
  if (process.platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'reflect', 'models');
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'reflect', 'models');
}

/** Where a packaged app carries weights, or null when this is not one. */
export function bundledFolder(env: NodeJS.ProcessEnv): string | null {
  if (env.REFLECT_BUNDLED_MODELS) return env.REFLECT_BUNDLED_MODELS;
  // Electron adds this property; plain Node does not have it.
  const { resourcesPath } = process as { resourcesPath?: string };
  return resourcesPath ? join(resourcesPath, 'models') : null;
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}
