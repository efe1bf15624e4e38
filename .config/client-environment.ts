import type { Environment } from 'vitest/runtime';

/** Svelte as the window runs it, but without a window: by default, tests get server rendering without effects. */
export default {
  name: 'client',
  viteEnvironment: 'client',
  setup: () => ({ teardown: () => undefined }),
} satisfies Environment;
