import { Menu } from 'electron';

/**
 * Only macOS needs one: without it ⌘C and ⌘V do nothing there. Elsewhere a page's own keys suffice; every window zooms
 * by itself.
 */
export function setApplicationMenu(): void {
  Menu.setApplicationMenu(
    process.platform === 'darwin'
      ? Menu.buildFromTemplate([
          { role: 'appMenu' },
          { role: 'editMenu' },
          { label: 'View', submenu: [{ role: 'togglefullscreen' }] },
          { role: 'windowMenu' },
        ])
      : null,
  );
}
