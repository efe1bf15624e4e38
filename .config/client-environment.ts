import type { Environment } from 'vitest/runtime';

/**
 * Svelte as the window runs it, without a window: by default tests get what a server would render with, which has no
 * effects.
 */
export default {
  name: 'client',
  viteEnvironment: 'client',
  setup: () => ({ teardown: () => undefined }),
} satisfies Environment;
