import type { DaemonEvent } from '#contract/entities.ts';
import type { Send } from '#contract/methods.ts';

/** What only a desktop window can do. Absent in a browser. */
export interface Shell {
  platform: string;
  openMain(route: string): Promise<void>;
  hideQuickSearch(): Promise<void>;
  copy(text: string): Promise<void>;
  /** In the system's browser or mail program; anything but a web or mail address is refused. */
  openAddress(address: string): Promise<void>;
  /** The system's own dialogs; null when it was cancelled. A file that is there was agreed to be replaced. */
  chooseExport(suggested: string): Promise<string | null>;
  chooseImport(suggested: string): Promise<string | null>;
  /** The version that waits to be put in place, if one does. */
  readyUpdate(): Promise<string | null>;
  restartToUpdate(): Promise<void>;
  onUpdate(listener: (version: string) => void): () => void;
  onRoute(listener: (route: string) => void): () => void;
}

/** What `app/preload.ts` puts on the window. */
export interface DaemonBridge {
  send: Send;
  onEvent(listener: (event: DaemonEvent) => void): () => void;
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

/** What a note links to, once it is clicked; a page in a browser opens a tab that knows nothing of it. */
export function openAddress(address: string): void {
  const desktop = shell();
  if (desktop) void desktop.openAddress(address);
  else window.open(address, '_blank', 'noopener,noreferrer');
}
