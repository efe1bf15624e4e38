import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { daemonEnvironment } from '#contract/daemon-environment.ts';
import { temporaryFolder } from '../../models/testing.ts';
import { calibrated, cosine } from './similarity.ts';
import { needs } from '../testing/needs.ts';
import { CROSS_ENCODER, MODELS_DIR, NO_WEIGHTS, openInference } from './testing.ts';

const TEXTS = {
  tests: 'Run the unit tests with vitest before every commit.',
  sameTests: 'Before you commit, always run vitest to execute the unit tests.',
  port: 'The database listens on port 5433 on the staging host.',
};
const ROLES = ['embedder', 'second-embedder'] as const;

/** Memory, environment and threads belong to a process, so their tests run in a new one. */
async function inOwnProcess(body: string, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const script = `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { createInference } from ${JSON.stringify(new URL('./inference.ts', import.meta.url).href)};
    const inference = createInference({ modelsDir: ${JSON.stringify(MODELS_DIR)}, embedder: 'bge-small-en-v1.5',
      secondEmbedder: 'all-MiniLM-L6-v2', crossEncoder: '', threads: 2, idleUnloadMs: 600, onChange() {}, log() {} });
    ${body}
    await inference.close();`;
  // The person running the tests may have switched telemetry off already.
  const { ORT_DISABLE_TELEMETRY: _, ...inherited } = process.env;
  const env = { ...daemonEnvironment(inherited), ...environment };
  return (
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
  ).stdout.trim();
}

describe('with the real embedders', () => {
  needs(NO_WEIGHTS);

  test.each(ROLES)(
    '%s: paraphrases are near, unrelated texts are far, on the same scale for every model',
    async (role) => {
      const inference = openInference();
      const [a, b, c] = await Promise.all(
        Object.values(TEXTS).map((text) => inference.embedDocument(role, text)),
      );
      const row = inference.available(role);
      if (!a || !b || !c || !row) throw new Error('the model is not there');
      expect(a).toHaveLength(row.dims);
      expect(cosine(a, a)).toBeCloseTo(1, 5);
      expect(calibrated(row, cosine(a, b))).toBeGreaterThan(0.6);
      expect(calibrated(row, cosine(a, c))).toBeLessThan(0.35);
    },
  );

  test.each(ROLES)(
    '%s: the same text has the same vector, whatever was embedded before or beside it',
    async (role) => {
      const inference = openInference({ idleUnloadMs: 100 });
      const first = await inference.embedDocument(role, TEXTS.tests);
      const [again] = await Promise.all(
        [TEXTS.tests, TEXTS.port, 'x '.repeat(900)].map((text) => inference.embedDocument(role, text)),
      );
      expect(again).toEqual(first);
      await expect.poll(() => inference.models().map(({ state }) => state)).not.toContain('loaded');
      expect(await inference.embedDocument(role, TEXTS.tests)).toEqual(first);
    },
  );

  test('a query is cached, and returned as a copy', async () => {
    const inference = openInference();
    const query = await inference.embedQuery('embedder', TEXTS.tests);
    query.fill(0);
    // Less time than any model needs, so the answer comes from the cache.
    const again = await inference.embedQuery('embedder', TEXTS.tests, { timeoutMs: 1 });
    expect(cosine(again, again)).toBeCloseTo(1, 5);
  });

  test('texts that are empty, endless or strange still have a vector of length one', async () => {
    const inference = openInference();
    for (const text of ['', ' \n', 'ключ 鍵 🔑', 'word '.repeat(50_000), 'a'.repeat(100_000), '\ud800']) {
      for (const role of ROLES) {
        const vector = await inference.embedDocument(role, text);
        expect(cosine(vector, vector)).toBeCloseTo(1, 5);
      }
    }
  });

  test('a query is answered before the documents that were waiting', async () => {
    const inference = openInference();
    await inference.embedQuery('embedder', 'warm');
    const order: string[] = [];
    const documents = Array.from({ length: 12 }, (_, i) =>
      inference.embedDocument('embedder', `${i} ${TEXTS.port}`).then(() => order.push('document')),
    );
    await Promise.all([
      ...documents,
      inference.embedQuery('embedder', 'now').then(() => order.push('query')),
    ]);
    expect(order.indexOf('query')).toBeLessThanOrEqual(1);
  });

  test('a request that takes too long is refused and its late answer reaches nobody', async () => {
    const inference = openInference();
    await expect(inference.embedQuery('embedder', 'cold start', { timeoutMs: 1 })).rejects.toMatchObject({
      code: 'timed-out',
    });
    const [late, next] = await Promise.all([
      inference.embedQuery('embedder', 'cold start'),
      inference.embedQuery('embedder', TEXTS.port),
    ]);
    expect(cosine(late, next)).toBeLessThan(0.95);
  });

  test('after some idle time the models are unloaded and the next request loads them again', async () => {
    const inference = openInference({ idleUnloadMs: 300 });
    await Promise.all(ROLES.map((role) => inference.embedDocument(role, TEXTS.port)));
    const states = () =>
      inference
        .models()
        .slice(0, 2)
        .map(({ state }) => state);
    expect(states()).toEqual(['loaded', 'loaded']);
    await expect.poll(states).toEqual(['ready', 'ready']);
    expect(await inference.embedDocument('embedder', TEXTS.port)).toHaveLength(384);
    expect(states()).toEqual(['loaded', 'ready']);
  });

  test('closing during work refuses what is waiting and leaves no thread', async () => {
    const inference = openInference();
    const work = Array.from({ length: 5 }, (_, i) =>
      inference.embedDocument('embedder', `${i} ${TEXTS.port.repeat(20)}`),
    );
    const settled = Promise.allSettled(work);
    await work[0];
    await inference.close();
    expect((await settled).map(({ status }) => status)).toEqual([
      'fulfilled',
      ...Array<string>(4).fill('rejected'),
    ]);
    await expect(inference.embedQuery('embedder', 'x')).rejects.toMatchObject({ code: 'unreachable' });
  });

  test('a thread that crashes fails only its current request, and the next one starts it again', async () => {
    const script = join(temporaryFolder(), 'worker.ts');
    writeFileSync(
      script,
      `import { parentPort } from 'node:worker_threads';
       parentPort.on('message', ({ text }) => { if (text?.includes('crash')) process.exit(3); });
       await import(${JSON.stringify(new URL('./worker.ts', import.meta.url).href)});`,
    );
    const inference = openInference({ workerUrl: pathToFileURL(script) });
    const results = await Promise.allSettled(
      ['before', 'crash', 'after'].map((text) => inference.embedDocument('embedder', text)),
    );
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { reason: { code: 'internal' } },
      { status: 'fulfilled' },
    ]);
  });

  // With its telemetry on, onnxruntime writes a device id, a database of events and a log into these folders as soon as
  // a model is loaded, starts a thread, and sends the events. Setting the variable inside the worker does not stop it.
  test('onnxruntime leaves nothing in the home, cache or temporary folder, so its telemetry is off', async () => {
    const home = temporaryFolder();
    const folders = Object.fromEntries(
      [
        'HOME',
        'USERPROFILE',
        'LOCALAPPDATA',
        'APPDATA',
        'XDG_CACHE_HOME',
        'XDG_DATA_HOME',
        'XDG_STATE_HOME',
        'XDG_CONFIG_HOME',
        'TMPDIR',
        'TEMP',
      ].map((name) => [name, join(home, name)]),
    );
    Object.values(folders).forEach((folder) => mkdirSync(folder));
    const stdout = await inOwnProcess(
      `console.log((await inference.embedQuery('embedder', 'hello')).length); await sleep(500);`,
      folders,
    );
    expect(stdout).toBe('384');
    expect(
      Object.values(folders).flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' })),
    ).toEqual([]);
  });
});

describe('with a real cross-encoder', () => {
  needs(CROSS_ENCODER ? null : 'there is no cross-encoder here; REFLECT_CE_MODEL may point to one');

  const crossEncoder = CROSS_ENCODER ?? '';

  test('the passage that answers the query gets the highest score, and scores lie between 0 and 1', async () => {
    const inference = openInference({ crossEncoder });
    const passages = [
      TEXTS.port,
      'Restore the backup with `pg_restore --clean` after a failed migration.',
      'Cats sleep most of the day.',
    ];
    const scores = await inference.rerank('how to restore a database backup', passages);
    expect(scores).toHaveLength(3);
    expect(scores[1]).toBe(Math.max(...scores));
    for (const score of scores) expect(score).toBeGreaterThanOrEqual(0);
    for (const score of scores) expect(score).toBeLessThanOrEqual(1);
    expect(await inference.rerank('anything', [])).toEqual([]);
  });

  test('queries and passages beyond the limit are cut, not refused', async () => {
    const inference = openInference({ crossEncoder });
    const scores = await inference.rerank('restore a backup '.repeat(400), [
      'backup '.repeat(3_000),
      'short',
      '',
    ]);
    expect(scores.every(Number.isFinite)).toBe(true);
  });
});
