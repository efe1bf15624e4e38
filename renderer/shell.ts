import type { DaemonEvent } from '#contract/entities.ts';
import type { Send } from '#contract/methods.ts';

/** What only a desktop window can do. Absent in a browser. */
export interface Shell {
  platform: string;
  openMain(route: string): Promise<void>;
  hideQuickSearch(): Promise<void>;
  copy(text: string): Promise<void>;
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
