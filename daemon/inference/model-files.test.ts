import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CrossEncoderRow } from '../../models/manifest.ts';
import { sha256, temporaryFolder } from '../../models/testing.ts';
import { createHashes, locateFolder, locateModel } from './model-files.ts';

const weights = Buffer.from('weights');
const tokenizer = Buffer.from('{"tokens":[]}');
const described = (name: string, content: Buffer) => ({
  name,
  bytes: content.length,
  sha256: sha256(content),
  sources: [],
});
const row: CrossEncoderRow = {
  id: 'tiny',
  role: 'cross-encoder',
  licence: 'MIT',
  maxTokens: 8,
  files: [described('model.onnx', weights), described('tokenizer.json', tokenizer)],
};

function put(folder: string, model: Buffer): string {
  mkdirSync(join(folder, 'tiny'), { recursive: true });
  writeFileSync(join(folder, 'tiny', 'model.onnx'), model);
  writeFileSync(join(folder, 'tiny', 'tokenizer.json'), tokenizer);
  return join(folder, 'tiny', 'model.onnx');
}

test('a model without its files is missing, one with other bytes has the wrong hash, one with the right bytes is ready', async () => {
  const folder = temporaryFolder();
  const locate = () => locateModel(row, [folder], createHashes(folder));
  expect(await locate()).toMatchObject({ state: 'missing', files: null });
  put(folder, Buffer.from('weightz'));
  expect(await locate()).toMatchObject({
    state: 'wrong-hash',
    files: null,
    detail: expect.stringContaining('model.onnx is not the file'),
  });
  put(folder, Buffer.from('longer weights'));
  expect(await locate()).toMatchObject({ state: 'wrong-hash' });
  put(folder, weights);
  expect(await locate()).toMatchObject({ state: 'ready', bytes: weights.length + tokenizer.length });
});

test('a wrong file in the first folder does not hide a right one in the second', async () => {
  const [bundled, cache] = [temporaryFolder(), temporaryFolder()];
  put(bundled, Buffer.from('weightz'));
  put(cache, weights);
  expect(await locateModel(row, [bundled, cache], createHashes(cache))).toMatchObject({
    state: 'ready',
    detail: `in ${join(cache, 'tiny')}`,
  });
});

test('a hash is computed once for a file and again when the file has changed', async () => {
  const folder = temporaryFolder();
  const path = put(folder, weights);
  const locate = () => locateModel(row, [folder], createHashes(folder));
  await locate();
  const stamps = join(folder, 'verified.json');
  const remembered = JSON.parse(readFileSync(stamps, 'utf8'));
  expect(remembered[path].sha256).toBe(sha256(weights));
  // A wrong entry in the cache shows whether the cache is used.
  remembered[path].sha256 = 'f'.repeat(64);
  writeFileSync(stamps, JSON.stringify(remembered));
  expect(await locate()).toMatchObject({ state: 'wrong-hash' });
  utimesSync(path, new Date(), new Date(Date.now() + 5_000));
  expect(await locate()).toMatchObject({ state: 'ready' });
});

test('a damaged cache of hashes is written again', async () => {
  const folder = temporaryFolder();
  put(folder, weights);
  writeFileSync(join(folder, 'verified.json'), '{ half');
  expect(await locateModel(row, [folder], createHashes(folder))).toMatchObject({ state: 'ready' });
});

test('a cross-encoder chosen by path needs both files, and takes its limit from its configuration', () => {
  const folder = temporaryFolder();
  expect(locateFolder(join(folder, 'tiny'))).toMatchObject({ state: 'missing', row: { id: 'tiny' } });
  put(folder, weights);
  expect(locateFolder(join(folder, 'tiny'))).toMatchObject({
    state: 'ready',
    detail: 'chosen by path',
    row: { maxTokens: 512 },
  });
  writeFileSync(
    join(folder, 'tiny', 'config.json'),
    '{"max_length_evaluated":128,"max_position_embeddings":512}',
  );
  expect(locateFolder(join(folder, 'tiny')).row.maxTokens).toBe(128);
});
