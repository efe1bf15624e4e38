import { expect, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The seed of the port that is taken out while a test file runs, by its path. */
    withoutPort: Readonly<Record<string, string>>;
  }
}

// The mutations at the end of the modules ask for it as they are loaded, which is after this.
Object.assign(globalThis, { withoutPort: inject('withoutPort')[expect.getState().testPath ?? ''] });
