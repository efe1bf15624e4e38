import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { claudeCode } from '../transcripts/claude-code.ts';
import { WatchedRoot } from './watched-root.ts';

function watched(folder: string, pollMs = 0) {
  const seen: string[] = [];
  const problems: string[] = [];
  const root = new WatchedRoot(claudeCode, folder, pollMs, {
    changed: (_root, paths) => seen.push(...paths),
    gone: () => {},
    lost: () => {},
    problem: (message) => problems.push(message),
  });
  onTestFinished(() => root.close());
  return { root, seen, problems };
}

test('a folder that is not there is asked for often; once there it is looked through, and then seldom, for changes are told', async () => {
  const folder = join(tempFolder(), 'projects');
  const { root, seen } = watched(folder);
  expect([await root.check(0), root.nextCheck(0)]).toEqual([false, 2_000]);
  mkdirSync(folder);
  expect([await root.check(2_000), root.nextCheck(2_000)]).toEqual([true, 300_000]);
  expect(await root.check(4_000)).toBe(false);
  writeFileSync(join(folder, 'a.jsonl'), '');
  await expect.poll(() => seen, { timeout: 10_000 }).toContain(join(folder, 'a.jsonl'));
  expect(await root.check(302_000)).toBe(true);
  rmSync(folder, { recursive: true });
  expect([await root.check(304_000), root.present, root.nextCheck(304_000)]).toEqual([false, false, 2_000]);
});

test('where changes are not told it is looked through as often as the setting says', async () => {
  const { root } = watched(tempFolder(), 5_000);
  expect([await root.check(0), await root.check(4_999), await root.check(5_000)]).toEqual([
    true,
    false,
    true,
  ]);
});

test('a folder that cannot be watched is said to be, and looked through every ten seconds', async () => {
  const file = join(tempFolder(), 'no-folder');
  writeFileSync(file, '');
  const { root, problems } = watched(file);
  expect([await root.check(0), root.nextCheck(0)]).toEqual([true, 10_000]);
  expect(problems).toEqual([expect.stringContaining('every 10 s instead')]);
});
