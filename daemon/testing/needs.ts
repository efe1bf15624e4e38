import { beforeEach } from 'vitest';

/** Skips the tests of this block, with the reason, while what they need is missing; null means that it is there. */
export function needs(missing: string | null): void {
  beforeEach(({ skip }) => {
    if (missing !== null) skip(missing);
  });
}
