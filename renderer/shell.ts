import type { DaemonEvent } from '#contract/status.ts';
import type { Send } from '#contract/methods.ts';

/** The abilities of a desktop window. Absent in a browser. */
export interface Shell {
  platform: string;
  openMain(route: string): Promise<void>;
  hideQuickSearch(): Promise<void>;
  copy(text: string): Promise<void>;
  /** In the system's browser or mail program; anything but a web or mail address is refused. */
  openAddress(address: string): Promise<void>;
  /** The system's own dialogs; null when cancelled. The export dialog has asked before it names an existing file. */
  chooseExport(suggested: string): Promise<string | null>;
  chooseImport(suggested: string): Promise<string | null>;
  /** The version of a downloaded update that waits for a restart, if there is one. */
  readyUpdate(): Promise<string | null>;
  restartToUpdate(): Promise<void>;
  /** Starts a daemon that could not start or was stopped. */
  startDaemon(): Promise<void>;
  onUpdate(listener: (version: string) => void): () => void;
  onRoute(listener: (route: string) => void): () => void;
}

/** `app/preload.ts` puts this on the window. */
export interface DaemonBridge {
  send: Send;
  onEvent(listener: (event: DaemonEvent) => void): () => void;
  /** Called each time the connection to the daemon comes up or goes down, with the reason if that is known. */
  onLink(listener: (link: { connected: boolean; problem: string | null }) => void): () => void;
  shell?: Shell;
}

declare global {
  interface Window {
    daemon?: DaemonBridge;
  }
}

export const shell = (): Shell | undefined => window.daemon?.shell;

export async function copyText(text: string): Promise<void> {
  await (shell()?.copy(text) ?? navigator.clipboard.writeText(text));
}

/** An address of a place in the app, to be passed on; the desktop app has none of its own. */
export const linkTo = (hash: string): string =>
  shell() ? hash.replace(/^#\//, 'reflect://') : new URL(hash, location.href).href;

/** Opens a link of a note; in a browser, in a tab that learns nothing about this page. */
export function openAddress(address: string): void {
  const desktop = shell();
  if (desktop) void desktop.openAddress(address);
  else window.open(address, '_blank', 'noopener,noreferrer');
}
