import { expect, test } from 'vitest';
import { DaemonError } from '#contract/errors.ts';
import type { Call } from '#contract/methods.ts';
import { withoutPassword } from './spaces.svelte.ts';
import { suggestedPath, TeamState } from './team.svelte.ts';
import { Queries } from '../query/queries.svelte.ts';

function world(answers: Record<string, (input: { path: string; replace?: boolean }) => unknown>) {
  const asked: [string, unknown][] = [];
  const call = async (method: string, input: { path: string }) => {
    asked.push([method, input]);
    if (method === 'imports.detect' && !answers[method])
      return { kind: 'reflect-archive', name: 'an export' };
    return answers[method]?.(input);
  };
  return { screen: new TeamState(new Queries(call as unknown as Call)), asked };
}
const refuse = (code: ConstructorParameters<typeof DaemonError>[0], detail: string) => () => {
  throw new DaemonError(code, detail);
};

test('of a server’s address no password is stored, whole or half typed', () => {
  const stored = {
    'postgres://ana@db.example:5432/reflect?sslmode=require':
      'postgres://ana@db.example:5432/reflect?sslmode=require',
    'postgres://db.example:5432/reflect': 'postgres://db.example:5432/reflect',
    'postgres://ana:s3cr:et@db.example/reflect': 'postgres://ana@db.example/reflect',
    'postgres://ana:s3@cret@db.example:5432/reflect': 'postgres://ana@db.example:5432/reflect',
    'postgres://ana:s3c': 'postgres://ana',
    'postgres://ana:123': 'postgres://ana',
    'ana:s3cret@db.example/reflect': 'ana@db.example/reflect',
    'postgres://ana@db.example/reflect?password=s3cret&sslmode=require':
      'postgres://ana@db.example/reflect?password=&sslmode=require',
  };
  expect(Object.keys(stored).map(withoutPassword)).toEqual(Object.values(stored));
});

test('an export is put beside the home of Reflect, named by the day', () => {
  expect(suggestedPath('/home/ada/.reflect', new Date(2026, 2, 7))).toBe('/home/ada/reflect-2026-03-07.tar');
  expect(suggestedPath('C:\\Users\\ada\\.reflect', new Date(2026, 10, 17))).toBe(
    'C:\\Users\\ada\\reflect-2026-11-17.tar',
  );
});

test('a file that is there is replaced only once that was said', async () => {
  const { screen, asked } = world({
    'archive.export': ({ replace }) =>
      replace ? { sha256: 'ab' } : refuse('conflict', '/x.tar is there already')(),
  });
  screen.typeExportPath('/x.tar');
  await screen.export();
  expect(screen.canReplace).toBe(true);
  await screen.export(true);
  expect(screen.exported).toEqual({ sha256: 'ab' });
  expect(screen.exportError).toBeNull();
  expect(asked.map(([, input]) => input)).toEqual([
    { path: '/x.tar', replace: false, sign: false },
    { path: '/x.tar', replace: true, sign: false },
  ]);
});

test('a file that the system’s dialog named is replaced without another question, once', async () => {
  const { screen, asked } = world({ 'archive.export': () => ({ sha256: 'ab' }) });
  screen.chooseExportPath('/x.tar');
  await screen.export();
  await screen.export();
  screen.chooseExportPath('/x.tar');
  screen.typeExportPath('/y.tar');
  await screen.export();
  expect(asked.map(([, input]) => input)).toEqual([
    { path: '/x.tar', replace: true, sign: false },
    { path: '/x.tar', replace: false, sign: false },
    { path: '/y.tar', replace: false, sign: false },
  ]);
});

test('another clash is no reason to offer that', async () => {
  const { screen } = world({
    'archive.export': refuse('conflict', 'an import is under way; wait until it is done'),
  });
  await screen.export();
  expect(screen.canReplace).toBe(false);
});

test('only what is possible is offered: an empty knowledge base is restored, another is merged or replaced', async () => {
  const { screen } = world({
    'archive.inspect': ({ path }) => ({ path, targetEmpty: path === '/empty.tar' }),
  });
  screen.typeImportPath('/empty.tar');
  await screen.inspect();
  expect(screen.modes).toEqual(['restore']);
  screen.typeImportPath('/full.tar');
  expect(screen.inspected).toBeNull();
  await screen.inspect();
  expect(screen.modes).toEqual(['merge', 'force']);
});

test('a refused file says why and leaves nothing to import', async () => {
  const { screen, asked } = world({
    'archive.inspect': refuse('bad-archive', 'the hash of a note does not match'),
  });
  screen.typeImportPath('/bad.tar');
  await screen.inspect();
  expect(screen.importError?.message).toContain('the hash of a note does not match');
  await screen.import('merge');
  expect(asked.map(([method]) => method)).toEqual(['imports.detect', 'archive.inspect']);
});

test('an import that fails can be tried again with what was seen', async () => {
  const { screen } = world({
    'archive.inspect': ({ path }) => ({ path, targetEmpty: false }),
    'archive.import': refuse('conflict', 'busy'),
  });
  await screen.inspect();
  await screen.import('merge');
  expect(screen.importError?.message).toContain('busy');
  expect(screen.inspected).not.toBeNull();
});

test('notes of another program are previewed, imported and undone as one', async () => {
  const found = { path: '/notes', kind: 'markdown', name: 'markdown notes', counts: {}, items: [] };
  const { screen, asked } = world({
    'projects.list': () => [],
    'imports.detect': () => ({ kind: 'markdown', name: 'markdown notes' }),
    'imports.preview': () => found,
    'imports.run': () => ({ ...found, added: ['lrn-a-1'], changeId: 7 }),
    'changes.undo': () => ({}),
  });
  screen.typeImportPath('/notes');
  await screen.inspect();
  expect([screen.foreign, screen.inspected]).toEqual([found, null]);
  await screen.chooseProject('acme/shop');
  await screen.moveIn(false);
  expect([screen.foreign, screen.moved?.changeId]).toEqual([null, 7]);
  await screen.undoMove();
  expect(screen.moved).toBeNull();
  expect(asked.filter(([method]) => method !== 'archive.preview')).toEqual([
    ['imports.detect', { path: '/notes' }],
    ['imports.preview', { path: '/notes' }],
    ['projects.list', {}],
    ['imports.preview', { path: '/notes', project: 'acme/shop' }],
    ['imports.run', { path: '/notes', keep: false, project: 'acme/shop' }],
    ['changes.undo', { changeId: 7 }],
  ]);
});
