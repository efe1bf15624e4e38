import { type Desktop, openDesktop } from '../desktop.ts';
import { test as base, useWorld } from '../fixtures.ts';
import { createWorld } from '../world.ts';

/** A test with an app and a daemon of its own, with the demo's knowledge unless the test wants none. */
export const test = base.extend<{ desktop: Desktop }>({
  demo: true,
  desktop: async ({ world, demo }, use) => {
    const desktop = await openDesktop(world, demo ? ['--demo'] : []);
    await use(desktop);
    await desktop.quit();
  },
});

/** A test that leaves the app as it was: all of them share one, and each starts with a fresh page. */
export const sharedTest = base.extend<{ desktop: Desktop }, { sharedDesktop: Desktop }>({
  sharedDesktop: [
    ({}, use) =>
      useWorld(createWorld(), async (world) => {
        const desktop = await openDesktop(world, ['--demo']);
        await use(desktop);
        await desktop.quit();
      }),
    { scope: 'worker' },
  ],
  desktop: async ({ sharedDesktop }, use) => {
    await sharedDesktop.main.goto('app://reflect/');
    await use(sharedDesktop);
  },
});
