import type { ElectronApplication } from '@playwright/test';
import type { Menu, NativeImage } from 'electron';

/** The tray's last content, recorded by `watchTray` in the app's main process. */
interface SeenTray {
  image: NativeImage | undefined;
  menu: Menu | undefined;
  notified: string[];
}
declare global {
  var seenTray: SeenTray;
}

export interface WatchedTray {
  /** The picture the icon shows. */
  state(): Promise<string | undefined>;
  labels(): Promise<string[]>;
  /** Does what a click on the item does. */
  choose(label: string): Promise<void>;
  /** Notifications shown since. */
  notified(): Promise<string[]>;
}

/** There is no tray to look at on a bare X server, so what Electron is told is written down on its way. */
export async function watchTray(app: ElectronApplication, icons: string): Promise<WatchedTray> {
  await app.evaluate(({ Notification, Tray }) => {
    globalThis.seenTray = { image: undefined, menu: undefined, notified: [] };
    const { setContextMenu, setImage } = Tray.prototype;
    Tray.prototype.setContextMenu = function (menu) {
      globalThis.seenTray.menu = menu ?? undefined;
      setContextMenu.call(this, menu);
    };
    Tray.prototype.setImage = function (image) {
      globalThis.seenTray.image = typeof image === 'string' ? undefined : image;
      setImage.call(this, image);
    };
    Notification.isSupported = () => true; // here nobody listens for them
    Notification.prototype.show = function () {
      globalThis.seenTray.notified.push(this.body);
    };
  });
  return {
    state: () =>
      app.evaluate(({ nativeImage }, folder) => {
        const shown = globalThis.seenTray.image?.toDataURL();
        return ['idle', 'draining', 'attention'].find(
          (state) => nativeImage.createFromPath(`${folder}/tray-${state}.png`).toDataURL() === shown,
        );
      }, icons),
    labels: () =>
      app.evaluate(
        () => globalThis.seenTray.menu?.items.flatMap(({ label }) => (label ? [label] : [])) ?? [],
      ),
    choose: (label) =>
      app.evaluate((_electron, wanted) => {
        const item = globalThis.seenTray.menu?.items.find((each) => each.label === wanted);
        if (!item) throw new Error(`The menu has no ${wanted}.`);
        item.click();
      }, label),
    notified: () => app.evaluate(() => globalThis.seenTray.notified),
  };
}
