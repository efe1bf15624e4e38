import { ipcMain, type WebFrameMain } from 'electron';
import * as z from 'zod';
import type { Send } from '#contract/methods.ts';
import { DAEMON_CHANNEL, SHELL_CHANNEL } from './channels.ts';
import { OWN_ORIGIN } from './own-pages.ts';

const SomePath = z.string().max(4_000);

/** Requests a page may make of the desktop itself, with their inputs. */
const ARGUMENTS = {
  openMain: z.tuple([z.string().max(2_000)]),
  hideQuickSearch: z.tuple([]),
  copy: z.tuple([z.string().max(1_000_000)]),
  openAddress: z.tuple([z.string().max(8_000)]),
  chooseExport: z.tuple([SomePath]),
  chooseImport: z.tuple([SomePath]),
  readyUpdate: z.tuple([]),
  restartToUpdate: z.tuple([]),
  startDaemon: z.tuple([]),
};
type Action = keyof typeof ARGUMENTS;
const Action = z.enum(Object.keys(ARGUMENTS) as Action[]);

/** Whatever an action returns goes back to the page. */
type ShellActions = { [A in Action]: (...args: z.output<(typeof ARGUMENTS)[A]>) => unknown };

/** The only doors from a page to this process; anything but our own top frame is refused. */
export function servePages(send: Send, actions: ShellActions): void {
  ipcMain.handle(DAEMON_CHANNEL, ({ senderFrame }, method: unknown, input: unknown) => {
    refuseStrangers(senderFrame);
    return send(z.string().parse(method), input);
  });
  ipcMain.handle(SHELL_CHANNEL, ({ senderFrame }, name: unknown, ...args: unknown[]) => {
    refuseStrangers(senderFrame);
    const action = Action.parse(name);
    const act = actions[action] as (...args: unknown[]) => unknown; // given what that action's own schema lets through
    return act(...ARGUMENTS[action].parse(args));
  });
}

function refuseStrangers(frame: Pick<WebFrameMain, 'parent' | 'origin'> | null): void {
  if (frame?.parent !== null || frame.origin !== OWN_ORIGIN)
    throw new Error('This page is not allowed to call Reflect.');
}
