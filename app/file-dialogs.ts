import { BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron';

const ARCHIVES = [{ name: 'Reflect export', extensions: ['tar'] }];

/** The file for an export; null when the person cancelled. The dialog itself confirms overwriting an existing file. */
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

/** The file to import; null when the person cancelled. */
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
