import { BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron';

const ARCHIVES = [{ name: 'Reflect export', extensions: ['tar'] }];

/** Where an export goes; null when the person thought better of it. The dialog has asked before it gives a file that is there. */
export async function chooseExport(suggested: string): Promise<string | null> {
  const options: SaveDialogOptions = {
    defaultPath: suggested,
    filters: ARCHIVES,
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  };
  const window = BrowserWindow.getFocusedWindow();
  const { canceled, filePath } = await (window
    ? dialog.showSaveDialog(window, options)
    : dialog.showSaveDialog(options));
  return canceled || filePath === '' ? null : filePath;
}

/** Which file to import; null when the person thought better of it. */
export async function chooseImport(suggested: string): Promise<string | null> {
  const options: OpenDialogOptions = {
    ...(suggested ? { defaultPath: suggested } : {}),
    filters: ARCHIVES,
    properties: ['openFile'],
  };
  const window = BrowserWindow.getFocusedWindow();
  const {
    canceled,
    filePaths: [file],
  } = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
  return canceled || file === undefined ? null : file;
}
