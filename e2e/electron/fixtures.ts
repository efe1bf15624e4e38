import { type Desktop, openDesktop } from '../desktop.ts';
import { test as base } from '../fixtures.ts';

/** A test with the real shell, which starts its own daemon with the demo's knowledge. */
export const test = base.extend<{ desktop: Desktop }>({
  desktop: async ({ world }, use) => {
    const desktop = await openDesktop(world, ['--demo']);
    await use(desktop);
    await desktop.quit();
  },
});
