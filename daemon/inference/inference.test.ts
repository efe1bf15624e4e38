import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MANIFEST } from '../../models/manifest.ts';
import { cacheFolder } from '../../models/model-folders.ts';
import { temporaryFolder } from '../../models/testing.ts';
import { modelsFolder } from '../platform/paths.ts';
import { openInference } from './testing.ts';

const [bge] = MANIFEST;

test('without weights every model is missing and every request says what to do', async () => {
  const inference = openInference({ modelsDir: temporaryFolder(), bundledDir: null });
  await inference.refresh();
  expect(inference.models().map(({ id, state, slot }) => [id, state, slot])).toEqual([
    ['bge-small-en-v1.5', 'missing', 'embedder'],
    ['all-MiniLM-L6-v2', 'missing', 'second-embedder'],
    ['ms-marco-MiniLM-L-6-v2', 'missing', 'cross-encoder'],
  ]);
  expect(inference.available('embedder')).toBeNull();
  for (const request of [
    inference.embedQuery('embedder', 'x'),
    inference.embedDocument('second-embedder', 'x'),
    inference.rerank('x', ['y']),
  ]) {
    await expect(request).rejects.toMatchObject({
      code: 'models-missing',
      message: expect.stringContaining('reflect models get'),
    });
  }
});

test('a file with the wrong hash is shown as such and never loaded', async () => {
  const modelsDir = temporaryFolder();
  mkdirSync(join(modelsDir, 'bge-small-en-v1.5'));
  for (const { name, bytes } of bge?.files ?? [])
    writeFileSync(join(modelsDir, 'bge-small-en-v1.5', name), Buffer.alloc(bytes));
  const log: string[] = [];
  const inference = openInference({ modelsDir, bundledDir: null, log: (line) => log.push(line) });
  await expect(inference.embedQuery('embedder', 'x')).rejects.toMatchObject({ code: 'models-missing' });
  expect(inference.models()[0]).toMatchObject({
    state: 'wrong-hash',
    detail: expect.stringContaining('is not the file the manifest names'),
  });
  expect(log).toEqual([]);
});

test('a role left empty or with an unknown name says so', async () => {
  const inference = openInference({
    modelsDir: temporaryFolder(),
    bundledDir: null,
    secondEmbedder: '',
    embedder: 'word2vec',
  });
  await expect(inference.embedQuery('second-embedder', 'x')).rejects.toMatchObject({
    code: 'models-missing',
  });
  await expect(inference.embedQuery('embedder', 'x')).rejects.toMatchObject({
    detail: 'there is no embedder with that name',
  });
});

test('a folder whose model cannot be loaded is a failed model, not a crash', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'model.onnx'), 'not a model');
  writeFileSync(join(folder, 'tokenizer.json'), '{"not":"a tokenizer"}');
  const inference = openInference({ modelsDir: temporaryFolder(), bundledDir: null, crossEncoder: folder });
  await expect(inference.rerank('x', ['y'])).rejects.toMatchObject({ code: 'models-missing' });
  expect(inference.models()[0]).toMatchObject({ slot: 'cross-encoder', state: 'failed' });
  expect(inference.available('cross-encoder')).toBeNull();
});

test('only models of the manifest can be fetched', async () => {
  const inference = openInference({ modelsDir: temporaryFolder(), bundledDir: null });
  await expect(inference.fetch('word2vec')).rejects.toMatchObject({ code: 'not-found' });
});

test('the fetch script and the daemon use the same cache folder', () => {
  for (const env of [{}, { XDG_CACHE_HOME: '/c' }, { REFLECT_MODELS_DIR: '/m' }])
    expect(cacheFolder(env)).toBe(modelsFolder(env));
});
