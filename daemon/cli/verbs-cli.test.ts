import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { pathsOf } from '../platform/paths.ts';
import { enqueueMoment } from '../store/capture/moments.ts';
import { connect } from '../store/connection.ts';
import { type Ran, runCli } from '../testing/command-line.ts';
import { runDaemon, type RunningDaemon } from '../testing/running-daemon.ts';
import { completionFor } from './completion.ts';
import { manPage } from './man-page.ts';
import { createProgram } from './program.ts';

function reflect({ home }: RunningDaemon, ...args: string[]): Promise<Ran> {
  const cwd = join(home, 'project');
  mkdirSync(cwd, { recursive: true });
  return runCli(home, args, { cwd });
}

test('learnings are added, listed, moved, archived and restored by id', async () => {
  const daemon = await runDaemon();
  const id = (await reflect(daemon, 'add', 'Use pnpm')).out.trim();
  await reflect(daemon, 'add', 'Use tabs', '--global');
  const { out: here } = await reflect(daemon, 'list');
  expect(here).toContain('Use pnpm');
  expect(here).not.toContain('Use tabs');
  expect((await reflect(daemon, 'list', '--global')).out).toMatch(/Use tabs[\s\S]*Use pnpm/);
  expect((await reflect(daemon, 'edit', id, '--project', 'acme/shop')).out).toContain('acme/shop');
  expect((await reflect(daemon, 'list')).out).toMatch(/No learnings\.\n.*--global/);
  expect((await reflect(daemon, 'projects')).out).toMatch(/acme\/shop +1 learning/);
  expect((await reflect(daemon, 'archive', id)).out).toContain('Archived 1 learning.');
  expect((await reflect(daemon, 'list', '--global', '--status', 'archived')).out).toContain('Use pnpm');
  expect((await reflect(daemon, 'stats')).out).toMatch(/learnings +1; archived 1/);
  expect((await reflect(daemon, 'restore', id)).out).toContain('Restored 1 learning.');
  expect((await daemon.call('learnings.get', { id })).status).toBe('active');
  expect(await reflect(daemon, 'restore', 'lrn-nobody')).toMatchObject({
    code: 1,
    err: expect.stringContaining('No learning') as string,
  });
  expect((await reflect(daemon, 'edit', id, '--global')).out).toContain('global');
});

test('a dot names the project of this folder wherever a project is named', async () => {
  const daemon = await runDaemon();
  await reflect(daemon, 'add', 'Use pnpm');
  await reflect(daemon, 'add', 'Use tabs', '--global');
  expect((await reflect(daemon, 'list', '--project', '.')).out).toContain('Use pnpm');
  expect((await reflect(daemon, 'search', 'pnpm', '--project', '.')).out).toContain('Use pnpm');
  expect((await reflect(daemon, 'delete', '--project', '.', '--yes')).out).toContain('Deleted 1 learning');
  expect((await reflect(daemon, 'list', '--global')).out).toMatch(/^lrn-use-tabs.*\n$/);
});

test('what waits is drained now, and a lost index is built again', async () => {
  const daemon = await runDaemon();
  await reflect(daemon, 'add', 'Use pnpm', '--global');
  const db = connect(pathsOf(daemon.home).database);
  const payload = JSON.stringify({
    quote: 'No, never use npm in this repository, always use pnpm instead.',
    turns: [
      {
        role: 'human',
        text: 'No, never use npm in this repository, always use pnpm instead.',
        trigger: true,
      },
    ],
  });
  const from = { agent: 'claude-code', session: 's', transcript: 's.jsonl', project: 'shop', branch: null };
  const never = Date.UTC(2090, 0);
  enqueueMoment(
    db,
    { key: 'k', chunkHash: 'h', signal: 'signal.correction', payload, ...from, at: 1 },
    never,
  );
  expect((await reflect(daemon, 'drain', '--no-llm')).out).toBe('Drained 1 moment.\n');
  expect((await reflect(daemon, 'drain')).out).toBe('No moments were waiting.\n');
  db.exec(`INSERT INTO learning_fts (learning_fts) VALUES ('delete-all')`);
  db.close();
  expect((await reflect(daemon, 'reindex')).out).toContain('Indexed 2 notes');
  const { trace = [] } = await daemon.call('recall.explain', { query: 'pnpm', global: true });
  expect(trace.find(({ port }) => port === 'arm.words')?.candidates.length).toBeGreaterThan(0);
});

test('a command that does not exist is named, with and without --help', async () => {
  const daemon = await runDaemon();
  for (const args of [
    ['nope', '--help'],
    ['help', 'serch'],
    ['nope', '-h', '--json'],
    ['loop', 'nope', '--help'],
  ])
    expect(await reflect(daemon, ...args)).toMatchObject({
      code: 2,
      err: expect.stringContaining('unknown command') as string,
      out: '',
    });
  expect((await reflect(daemon, 'add', '--help')).out).toContain('Usage: reflect add');
  expect((await reflect(daemon, 'slots', '--project', 'a', '--help')).out).toContain('Usage: reflect slots');
  expect((await reflect(daemon, 'loop', 'start', 'a', '--help')).out).toContain('Usage: reflect loop start');
});

test('a method that does not exist is answered with its neighbours, not with all', async () => {
  const daemon = await runDaemon();
  for (const verb of ['call', 'schema']) {
    const { code, err } = await reflect(daemon, verb, 'graph.view');
    expect([code, err]).toEqual([1, expect.stringContaining('choose from graph.read, graph.entity')]);
    expect(err).not.toContain('recall.search');
    expect((await reflect(daemon, verb, 'nope')).err).toContain('methods of writers, ');
  }
});

test('bash completes commands, the commands within them, options and choices', async () => {
  const script = completionFor(createProgram(), 'bash');
  const completed = async (...words: string[]) => {
    const run = `${script}\nCOMP_WORDS=(reflect ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _reflect; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return (await promisify(execFile)('bash', ['-c', run])).stdout.split('\n').filter(Boolean);
  };
  expect(await completed('arch')).toEqual(['archive']);
  expect(await completed('slots', 'app')).toEqual(['append']);
  expect(await completed('install', 'cl')).toEqual(['claude-code']);
  expect(await completed('completion', 'f')).toEqual(['fish']);
  expect(await completed('import', '--kind', 'basic')).toEqual(['basic-memory']);
  expect(await completed('add', 'Use pnpm', '--prob')).toEqual(['--problem']);
});

test('every shell and the manual page know every command', () => {
  const program = createProgram();
  const names = program.commands.map((command) => command.name());
  const texts = [
    ...(['bash', 'zsh', 'fish'] as const).map((shell) => completionFor(program, shell)),
    manPage(program),
  ];
  for (const text of texts)
    expect(names.filter((name) => !text.replaceAll('\\-', '-').includes(name))).toEqual([]);
});
