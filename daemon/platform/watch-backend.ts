import type { BackendType } from '@parcel/watcher';

const BACKENDS: Partial<Record<NodeJS.Platform, BackendType>> = {
  linux: 'inotify',
  darwin: 'fs-events',
  win32: 'windows',
};
const backend = BACKENDS[process.platform];

/** The system's own way. Left to choose, the watcher first starts a shell to look for Watchman, and never waits for its end. */
export const WATCH_BACKEND: { backend?: BackendType } = backend ? { backend } : {};
