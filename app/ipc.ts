import { ipcMain, type WebFrameMain } from 'electron';
import * as z from 'zod';
import type { Send } from '#contract/methods.ts';
import { DAEMON_CHANNEL, SHELL_CHANNEL } from './channels.ts';
import { OWN_ORIGIN } from './own-pages.ts';

/** What a page may ask of the desktop itself. */
export interface ShellActions {
  openMain(route: string): void;
  hideQuickSearch(): void;
  copy(text: string): void;
}

const ShellCall = z.union([
  z.tuple([z.literal('openMain'), z.string().max(2_000)]),
  z.tuple([z.literal('hideQuickSearch')]),
  z.tuple([z.literal('copy'), z.string().max(1_000_000)]),
]);

/** The only doors from a page to this process; anything but our own top frame is refused. */
export function servePages(send: Send, actions: ShellActions): void {
  ipcMain.handle(DAEMON_CHANNEL, ({ senderFrame }, method: unknown, input: unknown) => {
    refuseStrangers(senderFrame);
    return send(z.string().parse(method), input);
  });
  ipcMain.handle(SHELL_CHANNEL, ({ senderFrame }, ...call: unknown[]) => {
    refuseStrangers(senderFrame);
    const [action, argument] = ShellCall.parse(call);
    if (action === 'hideQuickSearch') actions.hideQuickSearch();
    else actions[action](argument);
  });
}

function refuseStrangers(frame: Pick<WebFrameMain, 'parent' | 'origin'> | null): void {
  if (frame?.parent !== null || frame.origin !== OWN_ORIGIN) throw new Error('This page may not talk to Reflect.');
}
