import { createContext, onDestroy, untrack } from 'svelte';
import type { Daemon } from './daemon.ts';
import type { Advanced } from './frame/advanced.svelte.ts';
import type { CommandTable } from './frame/command-table.ts';
import type { Commands, Handler } from './frame/commands.svelte.ts';
import type { Drafts } from './drafts.svelte.ts';
import type { Router } from './frame/router.svelte.ts';
import type { StatusState } from './frame/status.svelte.ts';
import type { UndoState } from './frame/undo.svelte.ts';
import type { Queries, Scope } from './query/queries.svelte.ts';
import type { Theme } from './ui/theme.svelte.ts';

/** Everything a screen of the main window may use. */
export interface AppContext {
  daemon: Daemon;
  queries: Queries;
  commands: Commands;
  drafts: Drafts;
  router: Router;
  status: StatusState;
  undo: UndoState;
  theme: Theme;
  advanced: Advanced;
}

export const [getApp, setApp] = createContext<AppContext>();

/** Queries that live as long as the component that is being set up. */
export function componentScope(name: string): Scope {
  const scope = getApp().queries.scope(name);
  onDestroy(() => scope.end());
  return scope;
}

/** Says what each command of a table does, for as long as the component that is being set up lives. */
export function bindCommands<Id extends string>(
  table: CommandTable<Id>,
  handlers: Record<NoInfer<Id>, Handler>,
): void {
  const { commands } = getApp();
  onDestroy(untrack(() => commands.bind(table, handlers)));
}
