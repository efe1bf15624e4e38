import { Menu } from 'electron';

/** Only macOS needs one: without it ⌘C and ⌘V do nothing there. Elsewhere a page's own keys suffice. */
export function setApplicationMenu(): void {
  const isMac = process.platform === 'darwin';
  Menu.setApplicationMenu(
    isMac
      ? Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }])
      : null,
  );
}
