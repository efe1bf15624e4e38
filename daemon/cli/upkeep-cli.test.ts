import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { pathsOf } from '../platform/paths.ts';
import { runCli } from '../testing/command-line.ts';
import { runDaemon, type RunningDaemon } from '../testing/running-daemon.ts';

const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4)}`;

function reflect({ home }: RunningDaemon, ...args: string[]): Promise<{ code: number; out: string }> {
  return runCli(home, args).then(({ code, out }) => ({ code, out }));
}

/** A note that a person put there by hand, which nothing redacts. */
function write({ home }: RunningDaemon, name: string, body: string, sidecar = ''): void {
  const folder = join(home, 'documents', 'global');
  mkdirSync(folder, { recursive: true });
  if (sidecar) writeFileSync(join(folder, `${name}.entities.yaml`), sidecar);
  writeFileSync(
    join(folder, `${name}.md`),
    `---\nid: ${name}\ntitle: ${name}\nscope: global\n---\n\n${body}\n`,
  );
}

/** Plants a secret as an older version, which knew fewer patterns, left it in the database. */
function keepSecret({ home }: RunningDaemon, words: string, secret: string): void {
  const db = new Database(pathsOf(home).database);
  db.prepare('UPDATE learning SET note = replace(note, ?, ?)').run(words, secret);
  db.close();
}

test('doctor --privacy shows where a secret is, exits with 1, and does not print it', async () => {
  const daemon = await runDaemon();
  expect(await reflect(daemon, 'doctor', '--privacy')).toEqual({
    code: 0,
    out: '✓ 0 texts scanned, no secrets found\n',
  });
  const note = { title: 'Deploy with the key of the vault', scope: 'global' as const };
  const { learning } = await daemon.call('learnings.create', { note });
  keepSecret(daemon, 'the key of the vault', SECRET);
  const scan = await reflect(daemon, 'doctor', '--privacy');
  expect(scan).toEqual({
    code: 1,
    out: `✗ learning ${learning.id}: 1 github token\n✗ 1 of 2 texts contain secrets that were not redacted\n`,
  });
  expect(await reflect(daemon, 'doctor', '--privacy', '--json')).toMatchObject({
    code: 1,
    out: expect.not.stringContaining(SECRET) as string,
  });
});

test('doctor names variables that look like settings, with the nearest setting', async () => {
  const daemon = await runDaemon();
  const { out } = await runCli(daemon.home, ['doctor'], {
    env: { RECALL_MMR_LAMDBA: '0.5', RECALL_MMR: 'on' },
  });
  expect(out).toContain('✗ RECALL_MMR_LAMDBA is not a setting; did you mean RECALL_MMR_LAMBDA?');
  expect(out).not.toContain('RECALL_MMR is not');
});

test('doctor lists settings in the file of the project that have no effect', async () => {
  const daemon = await runDaemon();
  const cwd = join(daemon.home, 'shop');
  mkdirSync(join(cwd, '.git'), { recursive: true });
  mkdirSync(join(cwd, '.reflect'));
  writeFileSync(
    join(cwd, '.reflect', 'config.toml'),
    'REFLECT_DEDUP_THRESHOLD = 0.5\nRECALL_MMR_LAMDA = 0.3\n',
  );
  const { out } = await runCli(daemon.home, ['doctor'], { cwd });
  expect(out).toMatch(
    /✗ .*REFLECT_DEDUP_THRESHOLD is not read per project.*did you mean RECALL_MMR_LAMBDA\?/,
  );
});

test('with --json an error is JSON on standard error too', async () => {
  const daemon = await runDaemon();
  const missing = await runCli(daemon.home, ['show', 'nope', '--json']);
  expect(missing).toMatchObject({ code: 1, out: '' });
  expect(JSON.parse(missing.err)).toMatchObject({ error: { code: 'not-found' } });
  const wrong = await runCli(daemon.home, ['nope', '--json']);
  expect(wrong.code).toBe(2);
  expect(JSON.parse(wrong.err)).toMatchObject({
    error: { code: 'usage', message: expect.stringMatching(/^unknown command 'nope'/) as string },
  });
});

test('repair makes relations of no known kind plain when asked to, and says what is left', async () => {
  const daemon = await runDaemon();
  write(daemon, 'lrn-likes', 'Use vitest.', 'relationships:\n  - { source: a, target: b, type: likes }\n');
  await expect.poll(async () => (await daemon.call('status', {})).documentProblems).toBe(1);
  expect(await reflect(daemon, 'repair')).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      /Nothing was repaired.*\n✗ .*lrn-likes\.md — .*relationships\.0\.type/,
    ) as string,
  });
  expect(await reflect(daemon, 'repair', '--backfill-relations')).toEqual({
    code: 0,
    out: '1 note can be read again.\n',
  });
  expect((await daemon.call('learnings.get', { id: 'lrn-likes' })).relations).toMatchObject([
    { type: 'relates_to' },
  ]);
});

test('config finds a setting by its name or by what it does', async () => {
  const daemon = await runDaemon();
  const named = (await reflect(daemon, 'config', 'recall_limit')).out;
  expect(named).toMatch(/^REFLECT_RECALL_LIMIT {2,}10 /m);
  expect(named).not.toContain('REFLECT_CAPTURE');
  expect((await reflect(daemon, 'config', 'learnings a recall returns')).out).toContain(
    'REFLECT_RECALL_LIMIT',
  );
  expect((await reflect(daemon, 'config', 'blorf')).out).toContain('No setting matches.');
  expect((await reflect(daemon, 'config', 'set', 'REFLECT_RECALL_LIMIT', '4')).out).toContain('= 4');
});
