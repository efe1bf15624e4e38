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
  expect(names).toEqual(['.claude/settings.local.json', 'src/totals.test.ts']);
});

test('a technology is one by name; commands are tools, and files and settings are concepts', () => {
  const text =
    '`Postgres` reads `.entire/settings.json`; run `mise run lint` or `git push`, set `push_sessions: true` in `config`.';
  const types = Object.fromEntries(nameEntities(text).map(({ name, type }) => [name, type]));
  expect(types).toMatchObject({
    Postgres: 'technology',
    '.entire/settings.json': 'concept',
    'mise run lint': 'tool',
    'git push': 'tool',
    'push_sessions: true': 'concept',
    config: 'concept',
  });
});
