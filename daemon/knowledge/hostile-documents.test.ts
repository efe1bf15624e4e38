import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentOf, listStrays } from '../store/learnings/documents.ts';
import { countDocumentProblems, getLearning } from '../store/learnings/learnings.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { ingestDocuments } from './hand-edits.ts';
import { rescan, world } from './testing.ts';

test('pipes, devices and links among the notes are reported and left alone, and the others are read', async () => {
  const { store, id, edit } = world();
  const place = (name: string) => join(store.documents, name);
  const secret = join(tempFolder(), 'secret.md');
  writeFileSync(secret, '---\ntitle: not yours\n---\n');
  execFileSync('mkfifo', [place('pipe.md')]);
  symlinkSync('/dev/zero', place('device.md'));
  symlinkSync(secret, place('outside.md'));
  symlinkSync('loop.md', place('loop.md'));
  edit('rule: Never jest.', 'rule: Never mocha.');
  // As the watcher reports them; a rescan lists regular files only.
  ingestDocuments(store, ['pipe.md', 'device.md', 'outside.md', 'loop.md']);
  await rescan(store);
  expect(listStrays(store.db).map(({ path, problem }) => [path, problem.replace(/ of .*/, '')])).toEqual([
    ['device.md', 'is a link that leads out'],
    ['outside.md', 'is a link that leads out'],
    ['pipe.md', 'is not a file'],
  ]);
  expect(getLearning(store.db, id).rule).toBe('Never mocha.');
});

test('a folder in the place of a note is a problem of that note, and the rescan goes on', async () => {
  const { store, id } = world();
  const file = join(store.documents, documentOf(store.db, id)?.path ?? '');
  rmSync(file);
  mkdirSync(file);
  await rescan(store);
  expect(countDocumentProblems(store.db)).toBe(1);
  expect(getLearning(store.db, id).status).toBe('active');
  rmSync(file, { recursive: true });
});
