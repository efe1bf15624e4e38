import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ArchiveProgress } from '#contract/archive.ts';
import { tablesAt } from '../store/archive/schema.ts';
import { MIGRATIONS } from '../store/migrations/index.ts';
import { openQuestions } from '../store/learnings/questions.ts';
import { runDaemon } from '../testing/running-daemon.ts';
import { tempFolder, tempStore } from '../testing/temp-home.ts';
import { Archive } from './archive.ts';
import { importArchive } from './import.ts';
import { LIMITS } from './layout.ts';
import {
  archivePath,
  editDatabase,
  editManifest,
  fullStore,
  membersOf,
  partsOf,
  SHOP,
  writeMembers,
} from './testing.ts';

function archiveOf(store = fullStore()) {
  const progress: ArchiveProgress[] = [];
  const imported: string[] = [];
  return {
    store,
    progress,
    imported,
    archive: new Archive({
      importing: (work) => work(),
      ...partsOf(store),
      onProgress: (step) => progress.push(step),
      onImported: (mode) => imported.push(mode),
    }),
  };
}

describe('an export', () => {
  test('is readable only by its owner, reports its progress and leaves nothing else behind', async () => {
    const { archive, store, progress } = archiveOf();
    const path = archivePath();
    const { documents, tables } = await archive.export(path, { replace: false });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(path))).toHaveLength(1);
    expect(readdirSync(store.paths.staging)).toEqual([]);
    expect(progress[0]).toMatchObject({ job: 'export', step: 'documents', total: documents });
    expect(tables).toMatchObject({ learning: 6, slot: 2, capture_window: 1 });
  });

  test('replaces an export only on request, and never anything else', async () => {
    const { archive } = archiveOf();
    const path = archivePath();
    writeFileSync(path, 'mine');
    for (const replace of [false, true])
      await expect(archive.export(path, { replace })).rejects.toMatchObject({ code: 'conflict' });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    rmSync(path);
    await archive.export(path, { replace: false });
    await expect(archive.export(path, { replace: false })).rejects.toMatchObject({ code: 'conflict' });
    await expect(archive.export(dirname(path), { replace: true })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(archive.export('relative.tar', { replace: false })).rejects.toMatchObject({
      code: 'bad-input',
    });
    await expect(archive.export('/nowhere/at/all.tar', { replace: false })).rejects.toMatchObject({
      code: 'not-found',
    });
    expect((await archive.export(path, { replace: true })).path).toBe(path);
  });

  test('leaves out and reports names that other systems do not allow; links are not followed', async () => {
    const { archive, store } = archiveOf();
    writeFileSync(join(store.documents, 'a:b.md'), 'x');
    writeFileSync(join(store.documents, 'huge.md'), Buffer.alloc(LIMITS.documentBytes + 1, 'x'));
    symlinkSync('/etc/hostname', join(store.documents, 'link.md'));
    const { leftOut, path } = await archive.export(archivePath(), { replace: false });
    expect(leftOut).toEqual([
      { path: 'a:b.md', why: expect.stringContaining('mean something else') as string },
      { path: 'huge.md', why: 'is too large' },
    ]);
    expect([...(await membersOf(path)).keys()].filter((name) => /link|a:b|huge/.test(name))).toEqual([]);
  });

  test('matches its preview', async () => {
    const { archive } = archiveOf();
    const preview = archive.preview();
    const { documents, tables, bytes } = await archive.export(archivePath(), { replace: false });
    expect(preview).toMatchObject({ documents, tables, learnings: 6 });
    expect(preview.projects).toEqual(expect.arrayContaining([{ value: SHOP, count: 3 }]));
    expect(preview.statuses).toEqual(expect.arrayContaining([{ value: 'forgotten', count: 1 }]));
    expect(preview.bytes).toBeLessThan(bytes);
  });

  test('runs alone', async () => {
    const { archive } = archiveOf();
    const first = archive.export(archivePath(), { replace: false });
    await expect(archive.inspect('/x.tar')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('An export is running') as string,
    });
    await first;
    await expect(archive.inspect('/x.tar')).rejects.toMatchObject({ code: 'not-found' });
  });
});

test('an archive of an older version is migrated during the import', async () => {
  const { archive } = archiveOf();
  const { path } = await archive.export(archivePath(), { replace: false });
  const members = await membersOf(path);
  const older = tablesAt(MIGRATIONS.length - 1);
  editDatabase(members, (db) => {
    // As an older Reflect wrote it: its tables, columns and version.
    for (const { name } of tablesAt(MIGRATIONS.length)) db.exec(`ALTER TABLE ${name} RENAME TO new_${name}`);
    for (const { name } of db
      .prepare<[], { name: string }>(
        `SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`,
      )
      .all())
      db.exec(`DROP INDEX ${name}`);
    for (const { sql, name, columns, order } of older)
      db.exec(
        `${sql}; INSERT INTO ${name} (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM new_${name} ORDER BY ${order}`,
      );
    for (const { name } of tablesAt(MIGRATIONS.length)) db.exec(`DROP TABLE new_${name}`);
    for (const { sql } of older.flatMap(({ indexes }) => indexes)) db.exec(sql);
    db.pragma(`user_version = ${MIGRATIONS.length - 1}`);
  });
  const names = new Set(older.map(({ name }) => name));
  editManifest(members, (manifest) => ({
    ...manifest,
    tables: Object.fromEntries(Object.entries(manifest.tables).filter(([name]) => names.has(name))),
  }));
  const store = tempStore();
  expect(await importArchive(partsOf(store), await writeMembers(members), 'restore', () => {})).toMatchObject(
    { added: { total: 8 } },
  );
  expect(store.db.prepare('SELECT count(*) FROM learning').pluck().get()).toBe(6);
});

test('an import announces that everything may have changed; a refused import does not', async () => {
  const { archive } = archiveOf();
  const { path } = await archive.export(archivePath(), { replace: false });
  const target = archiveOf(tempStore());
  await target.archive.import(path, 'restore', true);
  await expect(target.archive.import(path, 'restore', true)).rejects.toMatchObject({ code: 'conflict' });
  await expect(target.archive.import(join(tempFolder(), 'none.tar'), 'merge', true)).rejects.toMatchObject({
    code: 'not-found',
  });
  expect(target.imported).toEqual(['restore']);
});

test('the queue and the read positions of this machine stay its own, whatever is imported', async () => {
  const { archive } = archiveOf();
  const { path } = await archive.export(archivePath(), { replace: false });
  const target = archiveOf();
  const queue = () => target.store.db.prepare(`SELECT key, state FROM capture_window ORDER BY key`).all();
  const before = queue();
  expect(before).toContainEqual({ key: 'waiting', state: 'queued' });
  const root = () => target.store.db.prepare('SELECT root FROM project WHERE id = ?').pluck().get(SHOP);
  expect(root()).toBe('/home/ada/shop');
  await target.archive.import(path, 'force', true);
  expect(queue()).toEqual(before);
  expect(root()).toBe('/home/ada/shop');
});

test('over RPC a running daemon sees the new notes at once, in files, lists, recall and corpora, and takes hand edits of them', async () => {
  const here = await runDaemon();
  await here.call('learnings.create', {
    note: { title: 'Feed the cat at noon', scope: 'global', tags: ['pets'] },
  });
  await here.call('corpus.build', { name: 'pets', filter: { tags: ['pets'] } });
  const path = archivePath();
  await here.call('archive.export', { path });
  const there = await runDaemon();
  await there.call('learnings.create', { note: { title: 'Gone after the import', scope: 'global' } });
  expect((await there.call('archive.inspect', { path })).diff).toMatchObject({
    added: { total: 1 },
    missing: { total: 1 },
  });
  const { backup } = await there.call('archive.import', { path, mode: 'force', mine: true });
  expect(existsSync(backup ?? '')).toBe(true);
  const { hits } = await there.call('recall.search', { query: 'feed the cat', global: true });
  expect(hits.map(({ learning }) => learning.title)).toEqual(['Feed the cat at noon']);
  expect((await there.call('learnings.list', {})).total).toBe(1);
  const [corpus] = await there.call('corpus.list', {});
  expect(corpus).toMatchObject({ name: 'pets', learnings: 1, stale: false });
  expect(JSON.parse(readFileSync(corpus?.file ?? '', 'utf8'))).toMatchObject({
    entries: [{ title: 'Feed the cat at noon' }],
  });
  const id = hits[0]?.learning.id ?? '';
  const file = join(there.home, 'documents', 'global', `${id}.md`);
  writeFileSync(file, readFileSync(file, 'utf8').replace('at noon', 'at dawn'));
  await expect
    .poll(async () => (await there.call('learnings.get', { id })).title)
    .toBe('Feed the cat at dawn');
});

test('the other version of a note with the longest possible id is held under its own id', async () => {
  const id = `a${'b'.repeat(120)}`;
  const saying = (rule: string) => {
    const store = tempStore();
    mkdirSync(join(store.documents, 'global'), { recursive: true });
    writeFileSync(
      join(store.documents, 'global', `${id}.md`),
      `---\nid: ${id}\ntitle: Long name\nscope: global\nrule: ${rule}\n---\n`,
    );
    return store;
  };
  const { path } = await archiveOf(saying('one')).archive.export(archivePath(), { replace: false });
  const target = archiveOf(saying('two'));
  expect(await target.archive.import(path, 'merge', true)).toMatchObject({ conflicts: 1 });
  expect(openQuestions(target.store.db)).toMatchObject([
    { existing: { id, rule: 'two' }, incoming: { rule: 'one' } },
  ]);
});
