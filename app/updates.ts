import type { AppUpdater } from 'electron-updater';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const LOOK_AGAIN_MS = 6 * 3_600_000;

export type UpdateState =
  | { kind: 'off' }
  /** There is a feed, but an app installed this way cannot replace itself. */
  | { kind: 'impossible'; why: string }
  | { kind: 'looking' }
  | { kind: 'ready'; version: string };

/** A feed is trusted with what runs on this machine, so only a protected line to it will do. */
export function isTrustworthyFeed(address: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname))
  );
}

/** Why an app that was installed like this one is not replaced by a newer version; null when it is. */
export function updateObstacle(
  platform: NodeJS.Platform,
  isPackaged: boolean,
  env: NodeJS.ProcessEnv,
  hasUninstaller: boolean,
): string | null {
  if (!isPackaged) return 'This Reflect runs from source; update it with git';
  if (platform === 'linux' && !env['APPIMAGE']) return 'On Linux only the AppImage updates itself';
  if (platform === 'win32' && !hasUninstaller) return 'On Windows only an installed Reflect updates itself';
  return null;
}

interface UpdateOptions {
  /** Named by the person; null leaves it to what the package was published with. */
  feed: string | null;
  isPackaged: boolean;
  resources: string;
  userData: string;
  env: NodeJS.ProcessEnv;
}

/** Ways to end all that would keep a newer version from starting. */
export interface Release {
  releaseWindow: () => void;
  close: () => Promise<void>;
  releaseLock: () => void;
  onFailure: () => void;
}

/** Looks for newer versions only in a configured feed, and installs one only when asked. */
export class Updates {
  readonly #onChange: (state: UpdateState) => void;
  #state: UpdateState = { kind: 'off' };
  #updater: AppUpdater | undefined;
  isRestarting = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: (state: UpdateState) => void) {
    this.#onChange = onChange;
  }

  get state(): UpdateState {
    return this.#state;
  }

  async start(
    { feed, isPackaged, resources, userData, env }: UpdateOptions,
    report: (problem: unknown) => void,
  ): Promise<void> {
    const published = path.join(resources, 'app-update.yml');
    if (feed === null && !existsSync(published)) return;
    if (feed !== null && !isTrustworthyFeed(feed))
      throw new Error(`No updates: the feed ${feed} is not an https address.`);
    const hasUninstaller = existsSync(path.join(resources, '..', 'Uninstall Reflect.exe'));
    const why = updateObstacle(process.platform, isPackaged, env, hasUninstaller);
    if (why !== null) {
      this.#become({ kind: 'impossible', why });
      return;
    }

    const {
      default: { autoUpdater },
    } = await import('electron-updater');
    autoUpdater.updateConfigPath = feed === null ? published : writeFeed(userData, feed);
    autoUpdater.logger = null;
    // Quit ends at once and changes nothing; what was fetched waits for the one who asks for it.
    autoUpdater.autoInstallOnAppQuit = false;
    // The library tells every feed a number of this machine; ours is everyone's.
    autoUpdater.requestHeaders = { 'x-user-staging-id': '00000000-0000-0000-0000-000000000000' };
    autoUpdater.on('update-downloaded', ({ version }) => this.#become({ kind: 'ready', version }));
    autoUpdater.on('error', (problem) => {
      if (isUnsigned(problem))
        this.#become({ kind: 'impossible', why: 'Only a signed Reflect updates itself' });
      report(problem);
    });
    this.#updater = autoUpdater;
    this.#become({ kind: 'looking' });
    const look = () => void autoUpdater.checkForUpdates().catch(() => undefined); // reported as an 'error' too
    this.#timer = setInterval(look, LOOK_AGAIN_MS);
    look();
  }

  /** Ends this app and starts the new one. What both would need is let go first. */
  async restart({ releaseWindow, close, releaseLock, onFailure }: Release): Promise<void> {
    if (this.isRestarting || this.#state.kind !== 'ready') return;
    this.isRestarting = true;
    clearInterval(this.#timer);
    releaseWindow(); // macOS closes the windows first, and stays if one refuses
    await close();
    releaseLock(); // the new one starts before this one has ended
    this.#updater?.once('error', onFailure).quitAndInstall();
  }

  #become(state: UpdateState): void {
    this.#state = state;
    this.#onChange(state);
  }
}

/** macOS replaces an app only by one of the same signature; its updater refuses with this sentence. */
export const isUnsigned = ({ message }: Error): boolean => /code signature/i.test(message);

/** The updater reads its feed from a file. */
function writeFeed(userData: string, url: string): string {
  const file = path.join(userData, 'update-feed.yml');
  mkdirSync(userData, { recursive: true });
  writeFileSync(file, JSON.stringify({ provider: 'generic', url, updaterCacheDirName: 'reflect-updater' })); // JSON is YAML
  return file;
}
