import { createContext } from 'svelte';
import type { Daemon } from './daemon.ts';
import type { Router } from './frame/router.svelte.ts';
import type { StatusState } from './frame/status.svelte.ts';
import type { UndoState } from './frame/undo.svelte.ts';
import type { Theme } from './ui/theme.svelte.ts';

/** What every screen of the main window may reach for. */
export interface AppContext {
  daemon: Daemon;
  router: Router;
  status: StatusState;
  undo: UndoState;
  theme: Theme;
}

export const [getApp, setApp] = createContext<AppContext>();
