import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { identifyProject } from './project.ts';
import { fileStat, linkStat, openHandle, readText, readTextIfExists, readTextOrEmpty } from './read-file.ts';

/** A folder with one of everything that may stand where a file is expected. */
function traps(): (name: string) => string {
  const folder = tempFolder();
  const place = (name: string) => join(folder, name);
  writeFileSync(place('text'), 'hello');
  mkdirSync(place('folder'));
  execFileSync('mkfifo', [place('pipe')]);
  symlinkSync('/dev/zero', place('device'));
  symlinkSync('loop', place('loop'));
  symlinkSync('text', place('inside'));
  symlinkSync(join(tempFolder(), 'secret'), place('outside'));
  writeFileSync(join(place('outside')), 'secret');
  const huge = openSync(place('huge'), 'w');
  ftruncateSync(huge, 20 * 1024 ** 3); // sparse
  closeSync(huge);
  return place;
}

test('reads a file and follows a link to one', () => {
  const place = traps();
  expect([readText(place('text')), readText(place('inside')), readText(place('outside'))]).toEqual([
    'hello',
    'hello',
    'secret',
  ]);
});

test.each([
  ['folder', /is not a file|EISDIR/],
  ['pipe', /is not a file/],
  ['device', /is not a file/],
  ['loop', /ELOOP/],
  ['huge', /is too large/],
])('a %s is refused at once, with the reason', async (name, why) => {
  const file = traps()(name);
  expect(() => readText(file)).toThrow(why);
  expect(() => readTextIfExists(file)).toThrow(why);
  expect(readTextOrEmpty(file)).toBe('');
  if (name !== 'huge') await expect(openHandle(file)).rejects.toThrow(why);
});

test('a link may not lead out of the folder it has to stay in', () => {
  const place = traps();
  const within = place('.');
  expect(readText(place('inside'), { within })).toBe('hello');
  expect(() => readText(place('outside'), { within })).toThrow(/leads out of/);
});

test('a missing file is no trap: its reader decides', () => {
  const file = traps()('nothing');
  expect([readTextIfExists(file), readTextOrEmpty(file)]).toEqual([null, '']);
  expect(() => readText(file)).toThrow(/does not exist/);
});

test('a link to itself has no file behind it, and looking does not throw', () => {
  const file = traps()('loop');
  expect([fileStat(file), linkStat(file)?.isSymbolicLink()]).toEqual([null, true]);
});

test('a repository whose git files are pipes and devices is still identified, by its folder', () => {
  const root = tempFolder();
  mkdirSync(join(root, '.git', 'refs', 'remotes', 'origin'), { recursive: true });
  execFileSync('mkfifo', [join(root, '.git', 'HEAD')]);
  symlinkSync('/dev/zero', join(root, '.git', 'config'));
  symlinkSync('HEAD', join(root, '.git', 'refs', 'remotes', 'origin', 'HEAD'));
  expect(identifyProject(root)).toMatchObject({ root, branch: null });
});
