import { type Desktop, openDesktop } from '../desktop.ts';
import { test as base } from '../fixtures.ts';

/** A test with the real shell, which starts its own daemon, with the demo's knowledge unless the test wants none. */
export const test = base.extend<{ desktop: Desktop }>({
  demo: true,
  desktop: async ({ world, demo }, use) => {
    const desktop = await openDesktop(world, demo ? ['--demo'] : []);
    await use(desktop);
    await desktop.quit();
  },
});
