import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Note } from '#contract/entities.ts';
import { writeFiles } from '../testing/importer-suite.ts';
import { runDaemon } from '../testing/running-daemon.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { NOW, world } from '../testing/world.ts';
import { preview } from '../knowledge/twins.ts';
import { undo } from '../knowledge/revise.ts';
import { openQuestions } from '../store/learnings/questions.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { Imports } from './imports.ts';

const TOKEN = `ghp_${'aB3dE5gH7'.repeat(4)}`;

function vault(): string {
  const folder = tempFolder();
  writeFiles(folder, {
    'cents.md': '---\npermalink: vault/cents\n---\n# Keep amounts in cents\n\nFloats lose a cent.\n',
    'again.md': '---\npermalink: vault/again\n---\n# Keep amounts in cents\n\nFloats lose a cent.\n',
    'token.md': `---\npermalink: vault/token\n---\n# Release with the bot’s token\n\nIt is ${TOKEN}.\n`,
    'broken.md': '---\npermalink: [\n---\n# Broken\n',
  });
  return folder;
}

test('an import is previewed, waits as candidates without its secrets, is known the second time and undone as one', async () => {
  const daemon = await runDaemon();
  const path = vault();
  const seen = await daemon.call('imports.preview', { path });
  expect(seen).toMatchObject({
    kind: 'basic-memory',
    counts: { new: 2, twin: 1, skipped: 0, unreadable: 1 },
  });
  expect(seen.items.map(({ fate, source, reason }) => [fate, source, reason])).toEqual([
    ['unreadable', 'broken.md', expect.stringContaining('not valid YAML')],
    ['twin', 'cents.md', 'the same as again.md'],
    ['new', 'again.md', 'it names no project'],
    ['new', 'token.md', 'it names no project'],
  ]);
  expect(await daemon.call('candidates.list', {})).toMatchObject({ total: 0 });

  const ran = await daemon.call('imports.run', { path, project: 'shop' });
  expect(ran).toMatchObject({ counts: seen.counts, kept: false, redactions: 1, questions: 0 });
  const { items } = await daemon.call('candidates.list', { session: ran.batch });
  expect(items.map(({ title, project, status }) => [title, project, status])).toEqual([
    ['Keep amounts in cents', 'shop', 'candidate'],
    ['Release with the bot’s token', 'shop', 'candidate'],
  ]);
  const token = await daemon.call('learnings.get', { id: items[1]?.id ?? '' });
  expect(token.body).toContain('[redacted github token]');
  expect(token.frontMatter).toEqual({ permalink: 'vault/token' });
  expect(await daemon.call('recall.search', { query: 'amounts in cents', project: 'shop' })).toMatchObject({
    hits: [],
  });

  expect((await daemon.call('imports.preview', { path, project: 'shop' })).counts).toMatchObject({
    new: 0,
    twin: 3,
  });
  await daemon.call('changes.undo', { changeId: ran.changeId ?? 0 });
  expect(await daemon.call('candidates.list', {})).toMatchObject({ total: 0 });
  expect((await daemon.call('learnings.get', { id: items[0]?.id ?? '' })).status).toBe('archived');
});

test('what was undone is imported again, what a person archived is not', async () => {
  const daemon = await runDaemon();
  const path = vault();
  const first = await daemon.call('imports.run', { path, project: 'shop' });
  await daemon.call('changes.undo', { changeId: first.changeId ?? 0 });
  const second = await daemon.call('imports.run', { path, project: 'shop', keep: true });
  expect(second).toMatchObject({ counts: first.counts, added: first.added });
  const [id = ''] = second.added;
  expect(await daemon.call('learnings.get', { id })).toMatchObject({ status: 'active', project: 'shop' });
  await daemon.call('changes.undo', { changeId: second.changeId ?? 0 });
  expect(await daemon.call('learnings.get', { id })).toMatchObject({ status: 'archived' });

  await daemon.call('imports.run', { path, project: 'shop', keep: true });
  await daemon.call('learnings.archive', { id });
  const third = await daemon.call('imports.run', { path, project: 'shop' });
  expect(third.added).toEqual([]);
  expect(third.items.map(({ reason }) => reason)).toContainEqual(
    `the same as “Keep amounts in cents”, which is here, archived: \`reflect restore ${id}\``,
  );
});

test('a file belongs to the project of its folder, unless a person names one', async () => {
  const daemon = await runDaemon();
  const folder = tempFolder();
  writeFiles(folder, { 'AGENTS.md': '- Keep amounts in cents\n', 'note.md': '# Round half up\n\nAlways.\n' });
  const projectOf = async (file: string, project?: string) =>
    (await daemon.call('imports.preview', { path: join(folder, file), project })).items[0]?.project;
  for (const file of ['AGENTS.md', 'note.md']) {
    expect(await projectOf(file)).toBe(realpathSync(folder));
    expect(await projectOf(file, 'github.com/acme/shop')).toBe('github.com/acme/shop');
  }
});

test('kept notes are learnings at once, of their project alone and believed no more than a first hearing', async () => {
  const daemon = await runDaemon();
  const folder = tempFolder();
  writeFiles(folder, {
    'a.md': '---\ntitle: Use tabs\nconfidence: 1\nscope: universal\nrule: Use tabs\nproject_id: shop\n---\n',
  });
  await daemon.call('imports.run', { path: folder, keep: true });
  const { items } = await daemon.call('learnings.list', {});
  expect(items).toMatchObject([
    { title: 'Use tabs', project: 'shop', scope: 'project', confidence: 0.6, status: 'active' },
  ]);
});

test('a project that is known here is found by the name another program gives it', async () => {
  const daemon = await runDaemon();
  await daemon.call('learnings.create', { note: { title: 'Ours', project: 'github.com/acme/shop' } });
  const folder = tempFolder();
  writeFiles(folder, {
    'a.md': '---\ntitle: Use tabs\nconfidence: low\nrule: Use tabs\nproject_id: shop\n---\n',
  });
  expect((await daemon.call('imports.preview', { path: folder })).items).toMatchObject([
    { fate: 'new', project: 'github.com/acme/shop', reason: '' },
  ]);
});

test('a note that says nearly the same is asked about, and undoing the import takes the question with it', async () => {
  const known = 'Always run the database migrations before the tests';
  const { store, inference, parts } = await world([{ title: known, rule: known, project: 'shop' }]);
  const resolve = parts.settings.resolver();
  const imports = new Imports({
    store,
    resolve,
    signal: new AbortController().signal,
    preview: (note, knobs) =>
      preview(store, inference, Note.parse(note), knobs, (error) => expect.fail(String(error))),
    onProgress: () => {},
  });
  const folder = tempFolder();
  const alike = 'Before the tests, always run the migrations of the database';
  writeFiles(folder, { 'a.md': `---\ntitle: ${alike}\nconfidence: low\nrule: ${alike}\n---\n` });
  const ran = await imports.run({ path: join(folder, 'a.md'), project: 'shop', keep: false });
  expect(ran).toMatchObject({ counts: { twin: 1 }, questions: 1 });
  expect(ran.items[0]?.reason).toMatch(/^nearly the same as “Always run .*”: you are asked to merge them$/);
  expect(getLearning(store.db, ran.added[0] ?? '')).toMatchObject({ status: 'proposed', createdAt: NOW });
  expect(openQuestions(store.db)).toHaveLength(1);
  undo(store, ran.changeId ?? 0, 'person');
  expect(openQuestions(store.db)).toEqual([]);
});
