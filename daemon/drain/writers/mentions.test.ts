import { expect, test } from 'vitest';
import { nameEntities, nameTags } from './mentions.ts';

test('values, trunks, hashes and removed secrets are no names; what only looks like one is', () => {
  const text =
    'On `main` at `e7b77e2` set `telemetry` to `true`, not `nil` or `3.5`; `key=[REDACTED]` is a `string`, `decade` a word.';
  expect(nameEntities(text).map(({ name }) => name)).toEqual(['telemetry', 'decade']);
  expect(nameTags(text)).toEqual(['telemetry', 'decade']);
});
