import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { IgnoreRules } from './ignore.ts';

test.each([
  ['/home/ada/private', '/home/ada/private', true],
  ['/home/ada/private', '/home/ada/private/deep/down', true],
  ['/home/ada/private', '/home/ada/privateer', false],
  ['~/private/', '/home/ada/private/x', true],
  ['**/scratch', '/home/ada/a/scratch/b', true],
  ['**/scratch', '/home/ada/a/scratchpad', false],
  ['/home/ada/*/secret', '/home/ada/a/secret', true],
  ['/home/ada/*/secret', '/home/ada/a/b/secret', false],
  ['/nowhere, ~/private\n/else', '/else/x', true],
  ['agent:cursor', '/home/ada/cursor', false],
])('the rule %s on %s: %s', (rule, cwd, expected) => {
  expect(new IgnoreRules(rule, '/home/ada').hasFolder(cwd)).toBe(expected);
});

test('agents are named by their own rule', () => {
  const rules = new IgnoreRules('agent:cursor, ~/x');
  expect([rules.agents.has('cursor'), rules.agents.has('codex')]).toEqual([true, false]);
});

function repository(ignore: string): string {
  const root = join(tempFolder(), 'shop');
  mkdirSync(join(root, '.git'), { recursive: true });
  mkdirSync(join(root, 'packages', 'api', 'src'), { recursive: true });
  writeFileSync(join(root, '.reflectignore'), ignore);
  return root;
}

test.each([
  ['', '', true],
  ['# only a comment\n', 'packages', true],
  ['*\n', 'packages/api', true],
  ['packages/api\n', 'packages/api/src', true],
  ['packages/api/\n', 'packages', false],
  ['/packages/*\n', 'packages/api', true],
  ['other\n', '', false],
])('a .reflectignore with %j in the folder %j of its repository: %s', (ignore, folder, expected) => {
  expect(new IgnoreRules('').hasFolder(join(repository(ignore), folder))).toBe(expected);
});
