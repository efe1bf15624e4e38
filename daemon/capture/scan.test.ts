import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { filesBelow } from './scan.ts';

async function scan(
  root: string,
  ignored: string[] = [],
  { watched = root, signal = new AbortController().signal } = {},
) {
  const problems: string[] = [];
  const found: string[] = [];
  for await (const { path } of filesBelow(root, {
    wanted: (path) => path.endsWith('.jsonl'),
    ignored,
    onProblem: (path) => problems.push(path),
    watched,
    signal,
  }))
    found.push(path.slice(root.length + 1));
  return { found: found.toSorted(), problems };
}

test('finds what is wanted at any depth, through links, and enters no folder twice', async () => {
  const root = tempFolder();
  const elsewhere = tempFolder();
  mkdirSync(join(root, 'a', 'b'), { recursive: true });
  writeFileSync(join(root, 'a', 'b', 'deep.jsonl'), '');
  writeFileSync(join(root, 'note.md'), '');
  writeFileSync(join(elsewhere, 'linked.jsonl'), '');
  symlinkSync(elsewhere, join(root, 'link'));
  symlinkSync(root, join(root, 'a', 'loop'));
  symlinkSync(join(root, 'nowhere'), join(root, 'dangling.jsonl'));
  symlinkSync('itself.jsonl', join(root, 'itself.jsonl'));
  expect(await scan(root)).toEqual({ found: ['a/b/deep.jsonl', 'link/linked.jsonl'], problems: [] });
  expect(await scan(root, [join(root, 'a', 'b')])).toEqual({ found: ['link/linked.jsonl'], problems: [] });
});

test('a link to a folder around the watched one is not followed, wherever the search begins', async () => {
  const around = tempFolder();
  const root = join(around, 'agent', 'sessions');
  mkdirSync(root, { recursive: true });
  writeFileSync(join(around, 'private.jsonl'), '');
  writeFileSync(join(root, 'own.jsonl'), '');
  symlinkSync(around, join(root, 'out'));
  symlinkSync('/', join(root, 'disk'));
  expect(await scan(root)).toEqual({ found: ['own.jsonl'], problems: [] });
  expect(await scan(join(root, 'out'), [], { watched: root })).toEqual({ found: [], problems: [] });
});

test('a search that is stopped enters no further folder', async () => {
  const root = tempFolder();
  writeFileSync(join(root, 'a.jsonl'), '');
  expect(await scan(root, [], { signal: AbortSignal.abort() })).toEqual({ found: [], problems: [] });
});

test('a folder that may not be read is reported, and the others are read', async ({ skip }) => {
  if (process.getuid?.() === 0) skip('root may read every folder');
  const root = tempFolder();
  mkdirSync(join(root, 'closed'));
  writeFileSync(join(root, 'open.jsonl'), '');
  chmodSync(join(root, 'closed'), 0);
  const result = await scan(root);
  chmodSync(join(root, 'closed'), 0o700);
  expect(result).toEqual({ found: ['open.jsonl'], problems: [join(root, 'closed')] });
});

test('a folder that is gone is reported and gives nothing', async () => {
  const root = join(tempFolder(), 'gone');
  expect(await scan(root)).toEqual({ found: [], problems: [root] });
});
