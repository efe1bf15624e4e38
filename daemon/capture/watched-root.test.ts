import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { claudeCode } from '../transcripts/claude-code.ts';
import { WatchedRoot } from './watched-root.ts';

function watched(folder: string, pollMs = 0) {
  const seen: string[] = [];
  const problems: string[] = [];
  const calls = { checkNeeded: 0 };
  const root = new WatchedRoot(claudeCode, folder, pollMs, {
    changed: (_root, paths) => seen.push(...paths),
    gone: () => {},
    checkNeeded: () => calls.checkNeeded++,
    problem: (message) => problems.push(message),
  });
  onTestFinished(() => root.close());
  return { root, seen, problems, calls };
}

const HOUR = 3_600_000; // ms

test('a folder that does not exist is awaited without polling, and is scanned and watched once it appears', async () => {
  const folder = join(tempFolder(), 'agent', 'projects');
  const { root, seen, calls } = watched(folder);
  expect([await root.check(0), root.nextCheck(0)]).toEqual([false, HOUR]);
  mkdirSync(folder, { recursive: true });
  await expect.poll(() => calls.checkNeeded).toBe(1);
  expect([await root.check(2_000), root.nextCheck(2_000)]).toEqual([true, HOUR]);
  expect(await root.check(4_000)).toBe(false);
  writeFileSync(join(folder, 'a.jsonl'), '');
  await expect.poll(() => seen).toContain(join(folder, 'a.jsonl'));
  expect(await root.check(2_000 + HOUR)).toBe(true);
  rmSync(folder, { recursive: true });
  await expect.poll(() => calls.checkNeeded).toBe(2);
  expect([await root.check(HOUR), root.present, root.nextCheck(HOUR)]).toEqual([false, false, HOUR]);
  mkdirSync(folder);
  await expect.poll(() => calls.checkNeeded).toBe(3);
  expect([await root.check(HOUR), root.present]).toEqual([true, true]);
});

test('where events may be missing it is scanned within five minutes, once', async () => {
  const { root } = watched(tempFolder());
  await root.check(0);
  root.scanSoon(1_000);
  root.scanSoon(2_000);
  expect(root.nextCheck(1_000)).toBe(300_000);
  expect([await root.check(300_999), await root.check(301_000)]).toEqual([false, true]);
  expect(root.nextCheck(301_000)).toBe(HOUR);
});

test('a folder on a drive that reports no changes is scanned as often as the setting says', async () => {
  const { root } = watched(tempFolder(), 5_000);
  expect([await root.check(0), await root.check(4_999), await root.check(5_000)]).toEqual([
    true,
    false,
    true,
  ]);
});

test('a folder that cannot be watched is reported, and scanned every ten seconds', async () => {
  const file = join(tempFolder(), 'no-folder');
  writeFileSync(file, '');
  const { root, problems } = watched(file);
  expect([await root.check(0), root.nextCheck(0)]).toEqual([true, 10_000]);
  expect(problems).toEqual([expect.stringContaining('every 10 s instead')]);
});
