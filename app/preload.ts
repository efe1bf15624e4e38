import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import type { DaemonEvent } from '#contract/status.ts';
import type { Send } from '#contract/methods.ts';
import {
  DAEMON_CHANNEL,
  EVENT_CHANNEL,
  LINK_CHANNEL,
  ROUTE_CHANNEL,
  SHELL_CHANNEL,
  UPDATE_CHANNEL,
} from './channels.ts';
import type { Link } from './daemon-connection.ts';

// One channel for every method, so a new method changes nothing here.
const send: Send = (method, input) => ipcRenderer.invoke(DAEMON_CHANNEL, method, input);

function listen<T>(channel: string, callback: (value: T) => void): () => void {
  // The event object stays here: it would hand the page a way to every other channel.
  const listener = (_event: IpcRendererEvent, value: T) => callback(value);
  ipcRenderer.on(channel, listener);
  return () => void ipcRenderer.off(channel, listener);
}

const ask = (action: string, ...args: unknown[]) => ipcRenderer.invoke(SHELL_CHANNEL, action, ...args);

const shell = {
  platform: process.platform,
  openMain: (route: string): Promise<void> => ask('openMain', route),
  hideQuickSearch: (): Promise<void> => ask('hideQuickSearch'),
  copy: (text: string): Promise<void> => ask('copy', text),
  openAddress: (address: string): Promise<void> => ask('openAddress', address),
  chooseExport: (suggested: string): Promise<string | null> => ask('chooseExport', suggested),
  chooseImport: (suggested: string): Promise<string | null> => ask('chooseImport', suggested),
  readyUpdate: (): Promise<string | null> => ask('readyUpdate'),
  restartToUpdate: (): Promise<void> => ask('restartToUpdate'),
  startDaemon: (): Promise<void> => ask('startDaemon'),
  onRoute: (callback: (route: string) => void) => listen(ROUTE_CHANNEL, callback),
  onUpdate: (callback: (version: string) => void) => listen(UPDATE_CHANNEL, callback),
};

contextBridge.exposeInMainWorld('daemon', {
  send,
  onEvent: (callback: (event: DaemonEvent) => void) => listen(EVENT_CHANNEL, callback),
  onLink: (callback: (link: Link) => void) => listen(LINK_CHANNEL, callback),
  shell,
});
