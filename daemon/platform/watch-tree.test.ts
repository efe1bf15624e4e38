import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { awaitFolder, watchTree } from './watch-tree.ts';

async function watched(folder = tempFolder(), ignored: string[] = []) {
  const changed = new Set<string>();
  const gone = new Set<string>();
  const ended: string[] = [];
  const tree = await watchTree(folder, ignored, {
    changed: (paths) => paths.forEach((path) => changed.add(path)),
    gone: (paths) => paths.forEach((path) => gone.add(path)),
    ended: ({ message }) => ended.push(message),
  });
  onTestFinished(() => tree.close());
  const hears = async (set: Set<string>, path: string) => {
    await expect.poll(() => set.has(path)).toBe(true);
    set.clear();
  };
  return { tree, folder, changed, gone, ended, hears };
}

/** A folder outside the watched one, on the same disk, so that it can be moved in. */
function outside(): string {
  const folder = mkdtempSync(join(tmpdir(), 'reflect-outside-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a file that is created, appended to, truncated, renamed and deleted is reported each time', async () => {
  const { folder, changed, gone, hears } = await watched();
  const [path, renamed] = [join(folder, 'a.jsonl'), join(folder, 'b.jsonl')];
  writeFileSync(path, 'one\n');
  await hears(changed, path);
  appendFileSync(path, 'two\n');
  await hears(changed, path);
  truncateSync(path, 1);
  await hears(changed, path);
  renameSync(path, renamed);
  await hears(gone, path);
  await hears(changed, renamed);
  rmSync(renamed);
  await hears(gone, renamed);
});

test('files inside a folder that was just created or moved in are reported, and so are their later changes', async () => {
  const { folder, changed, hears } = await watched();
  const made = join(folder, 'made', 'deep', 'er', 'a.jsonl');
  mkdirSync(join(made, '..'), { recursive: true });
  writeFileSync(made, '');
  await hears(changed, made);
  const elsewhere = join(outside(), 'moved');
  mkdirSync(join(elsewhere, 'deep'), { recursive: true });
  writeFileSync(join(elsewhere, 'deep', 'b.jsonl'), '');
  renameSync(elsewhere, join(folder, 'moved'));
  const moved = join(folder, 'moved', 'deep', 'b.jsonl');
  await hears(changed, moved);
  for (const path of [made, moved]) {
    appendFileSync(path, 'more');
    await hears(changed, path);
  }
});

test('a renamed folder is watched under its new name', async () => {
  const { folder, changed, gone, hears } = await watched();
  mkdirSync(join(folder, 'old'));
  writeFileSync(join(folder, 'old', 'a.jsonl'), '');
  await hears(changed, join(folder, 'old', 'a.jsonl'));
  renameSync(join(folder, 'old'), join(folder, 'new'));
  await hears(gone, join(folder, 'old'));
  await hears(changed, join(folder, 'new', 'a.jsonl'));
  appendFileSync(join(folder, 'new', 'a.jsonl'), 'more');
  await hears(changed, join(folder, 'new', 'a.jsonl'));
});

test('nothing is reported of an ignored folder, nor after the watch is closed', async () => {
  const root = tempFolder();
  const { tree, changed, hears } = await watched(root, [join(root, 'ignored')]);
  mkdirSync(join(root, 'ignored', 'deep'), { recursive: true });
  writeFileSync(join(root, 'ignored', 'deep', 'a'), '');
  writeFileSync(join(root, 'marker'), '');
  await hears(changed, join(root, 'marker'));
  writeFileSync(join(root, 'ignored', 'deep', 'b'), '');
  writeFileSync(join(root, 'last'), '');
  await expect.poll(() => [...changed]).toEqual([join(root, 'last')]);
  writeFileSync(join(root, 'late'), '');
  tree.close();
  await new Promise((done) => setTimeout(done, 200));
  expect([...changed]).toEqual([join(root, 'last')]);
});

test('the watch ends when its folder is deleted, even if another takes its place at once', async () => {
  const { folder, ended } = await watched();
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  await expect.poll(() => ended).toEqual(['the folder is gone']);
});

test('a file cannot be watched', async () => {
  const file = join(tempFolder(), 'file');
  writeFileSync(file, '');
  await expect(watched(file)).rejects.toThrow('ENOTDIR');
});

function awaited(folder: string) {
  const appeared: string[] = [];
  const watch = awaitFolder(folder, () => appeared.push(folder));
  onTestFinished(() => watch.close());
  return { appeared, watch };
}

test('a folder that appears is reported once, however its parents come and go before', async () => {
  const home = tempFolder();
  const folder = join(home, 'a', 'b', 'c');
  const { appeared } = awaited(folder);
  const settle = () => new Promise((done) => setTimeout(done, 100));
  mkdirSync(join(home, 'a', 'b'), { recursive: true });
  await settle();
  rmSync(join(home, 'a'), { recursive: true });
  await settle();
  mkdirSync(join(home, 'a'));
  writeFileSync(join(home, 'other'), '');
  await settle();
  expect(appeared).toEqual([]);
  mkdirSync(folder, { recursive: true });
  await expect.poll(() => appeared).toEqual([folder]);
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  await settle();
  expect(appeared).toEqual([folder]);
});

test('a folder moved into place is reported, one that exists already too, and none after the wait is closed', async () => {
  const home = tempFolder();
  mkdirSync(join(home, 'prepared', 'projects'), { recursive: true });
  const { appeared } = awaited(join(home, 'agent', 'projects'));
  const late = awaited(join(home, 'agent'));
  late.watch.close();
  renameSync(join(home, 'prepared'), join(home, 'agent'));
  await expect.poll(() => appeared).toHaveLength(1);
  const present = awaited(join(home, 'agent'));
  await expect.poll(() => present.appeared).toHaveLength(1);
  expect(late.appeared).toEqual([]);
});
