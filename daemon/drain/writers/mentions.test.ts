import { expect, test } from 'vitest';
import { nameEntities, nameTags } from './mentions.ts';

test('values, trunks, hashes and removed secrets are no names; what only looks like one is', () => {
  const text =
    'On `main` at `e7b77e2` set `telemetry` to `true`, not `nil` or `3.5`; `key=[REDACTED]` is a `string`, `decade` a word.';
  expect(nameEntities(text).map(({ name }) => name)).toEqual(['telemetry', 'decade']);
  expect(nameTags(text)).toEqual(['telemetry', 'decade']);
});

test('a file is named whole, whatever dots it has', () => {
  const names = nameEntities('Edit .claude/settings.local.json and src/totals.test.ts').map(
    ({ name }) => name,
  );
  expect(names).toEqual(expect.arrayContaining(['claude/settings.local.json', 'src/totals.test.ts']));
});
