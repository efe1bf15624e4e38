import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { unifiedDiff } from './unified-diff.ts';

test('shows what changes with three lines around it', () => {
  const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';
  expect(unifiedDiff('a.json', before, before.replace('five', 'FIVE'))).toBe(
    '--- a.json\n+++ a.json\n@@ -2,7 +2,7 @@\n two\n three\n four\n-five\n+FIVE\n six\n seven\n eight\n',
  );
});

test('says nothing where nothing changes, and names no file where there is none', () => {
  expect(unifiedDiff('a', 'x\n', 'x\n')).toBe('');
  expect(unifiedDiff('a', null, 'x\n')).toBe('--- /dev/null\n+++ a\n@@ -0,0 +1,1 @@\n+x\n');
  expect(unifiedDiff('a', 'x\n', null)).toBe('--- a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n');
});

test('git can apply it, whatever the texts', () => {
  const folder = tempFolder();
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 30 })
    .map((lines) => lines.map((line) => `${line}\n`).join(''));
  // All at once: starting git for each took seconds.
  const changes = fc.sample(fc.tuple(text, text), 200).filter(([before, after]) => before !== after);
  changes.forEach(([before], index) => writeFileSync(join(folder, `${index}`), before));
  const patch = changes.map(([before, after], index) => unifiedDiff(`${index}`, before, after)).join('');
  execFileSync('git', ['apply', '-p0', '--unidiff-zero', '-'], { cwd: folder, input: patch });
  changes.forEach(([before, after], index) =>
    expect(readFileSync(join(folder, `${index}`), 'utf8'), before).toBe(after),
  );
});
