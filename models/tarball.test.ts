import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extractFile } from './tarball.ts';
import { tarball, temporaryFolder } from './testing.ts';

const big = Buffer.alloc(300_001, 'weights ');
const deep = `package/${'folder/'.repeat(20)}model.onnx`;

function archive(): { file: string; out: string } {
  const folder = temporaryFolder();
  const file = join(folder, 'archive.tgz');
  writeFileSync(
    file,
    tarball({ 'package/package.json': Buffer.from('{}'), 'package/big': big, [deep]: Buffer.from('deep') }),
  );
  return { file, out: join(folder, 'out') };
}

test('one file is extracted from an archive, byte for byte', async () => {
  const { file, out } = archive();
  expect(await extractFile(file, 'package/big', out)).toBe(true);
  expect(readFileSync(out).equals(big)).toBe(true);
});

test('a path that is too long for the header is found', async () => {
  const { file, out } = archive();
  expect(await extractFile(file, deep, out)).toBe(true);
  expect(readFileSync(out, 'utf8')).toBe('deep');
});

test('a file that is not in the archive is reported as absent', async () => {
  const { file, out } = archive();
  expect(await extractFile(file, 'package/other', out)).toBe(false);
});

test('a truncated archive is an error, not a short file', async () => {
  const { file, out } = archive();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.subarray(0, bytes.length - 400));
  await expect(extractFile(file, 'package/none', out)).rejects.toThrow();
});
