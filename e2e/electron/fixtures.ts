import { type Desktop, openDesktop } from '../desktop.ts';
import { test as base, useWorld } from '../fixtures.ts';
import { createWorld, type World } from '../world.ts';

/** A test with an app and a daemon of its own, with the demo's knowledge unless the test wants none. */
export const test = base.extend<{ desktop: Desktop }>({
  demo: true,
  desktop: async ({ world, demo, fillWithDemo }, use) => {
    if (demo) await fillWithDemo(world);
    const desktop = await openDesktop(world);
    await use(desktop);
    await desktop.quit();
  },
});

interface Shared {
  sharedDemo: boolean;
  shared: { world: World; desktop: Desktop };
}

/** Tests that share one app and its daemon. Each starts with a fresh page and quick-search hidden. */
export const sharedTest = base.extend<{ desktop: Desktop }, Shared>({
  sharedDemo: [true, { option: true, scope: 'worker' }],
  shared: [
    ({ sharedDemo, fillWithDemo }, use) =>
      useWorld(createWorld(), async (world) => {
        if (sharedDemo) await fillWithDemo(world);
        const desktop = await openDesktop(world);
        await use({ world, desktop });
        await desktop.quit();
      }),
    { scope: 'worker' },
  ],
  world: ({ shared }, use) => use(shared.world),
  desktop: async ({ shared: { desktop } }, use) => {
    await desktop.app.evaluate(({ BrowserWindow }) => {
      for (const window of BrowserWindow.getAllWindows())
        if (window.webContents.getURL().includes('quick-search')) window.hide();
    });
    await desktop.main.goto('app://reflect/');
    await use(desktop);
  },
});
