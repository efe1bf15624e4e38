import { type BrowserWindow, dialog } from 'electron';
import { Crashes } from './crashes.ts';

const CRASHED = {
  message: 'This window keeps crashing.',
  detail: 'Your learnings are safe, and agents still get them. Try again, or restart Reflect.',
};
const HANGS = {
  message: 'This window is not responding.',
  detail: 'Wait, or reload it. What you typed is kept as a draft.',
};

/** Loads a page again that crashed, hangs or did not load; after too many crashes a person decides. */
export function recoverPage(window: BrowserWindow): void {
  const { webContents } = window;
  const crashes = new Crashes();
  let isAsking = false;
  const ask = async (words: { message: string; detail: string }, [yes, no]: [string, string]) => {
    if (isAsking || window.isDestroyed()) return;
    isAsking = true;
    const { response } = await dialog.showMessageBox({
      type: 'warning',
      ...words,
      buttons: [yes, no],
      defaultId: 0,
      cancelId: 1,
    });
    isAsking = false;
    if (response !== 0 || window.isDestroyed()) return;
    crashes.forget();
    webContents.forcefullyCrashRenderer(); // a page that hangs would not hear of a reload
    webContents.reload();
  };
  const loadAgain = () => {
    if (window.isDestroyed()) return;
    if (crashes.tolerates(Date.now())) webContents.reload();
    else void ask(CRASHED, ['Try again', 'Close']);
  };
  webContents.on('render-process-gone', (_event, { reason }) => {
    // Ended on purpose: by us, before a reload, or with its window.
    if (reason !== 'clean-exit' && !isAsking) setImmediate(loadAgain);
  });
  webContents.on('did-fail-load', (_event, _code, _description, _url, isMainFrame) => {
    if (isMainFrame) setImmediate(loadAgain);
  });
  window.on('unresponsive', () => void ask(HANGS, ['Reload', 'Wait']));
}
