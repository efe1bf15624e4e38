import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Settings } from '../platform/settings.ts';
import { tempFolder, tempStore } from '../testing/temp-home.ts';
import { agree, hasAgreed } from './consent.ts';
import { DRAIN_KNOBS } from './knobs.ts';

const settings = (environment: NodeJS.ProcessEnv = {}) =>
  new Settings(join(tempFolder(), 'config.toml'), environment, [DRAIN_KNOBS.capture]);

test('a new store has nobody’s consent until a person agrees', () => {
  const store = tempStore();
  expect(hasAgreed(store, settings())).toBe(false);
  agree(store);
  expect(hasAgreed(store, settings())).toBe(true);
});

test('whoever sets REFLECT_CAPTURE has decided', () => {
  expect(hasAgreed(tempStore(), settings({ REFLECT_CAPTURE: 'true' }))).toBe(true);
});

test('whoever’s transcripts were read by an earlier release has agreed', () => {
  const store = tempStore();
  store.db
    .prepare(
      `INSERT INTO transcript (path, agent, fingerprint, position, size, records, bad_lines, unknown) VALUES ('a', 'codex', '', 0, 0, 0, 0, '{}')`,
    )
    .run();
  expect(hasAgreed(store, settings())).toBe(true);
});
