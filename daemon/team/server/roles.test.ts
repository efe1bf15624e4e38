import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../../testing/needs.ts';
import {
  addLogin,
  postgresFolders,
  postgresMissing,
  startPostgres,
  type TestServer,
} from '../../testing/postgres.ts';
import { readLog, readTail } from './log.ts';
import { migrateServer, SERVER_MIGRATIONS, serverVersion } from './schema.ts';
import { createSpace, openSpace, setMember } from './spaces.ts';

const ROLES = ['reader', 'writer', 'curator'] as const;
type Who = (typeof ROLES)[number] | 'stranger' | 'outsider' | 'owner';

/** The same attacks on every PostgreSQL of this machine: the newest from a package, and the system's. */
describe.each(postgresMissing() === null ? postgresFolders() : ['none'])('PostgreSQL in %s', (bin) => {
  needs(postgresMissing());
  let server: TestServer;
  const as = {} as Record<Who, Client>;
  let space = 0;
  let elsewhere = 0;

  beforeAll(async () => {
    if (postgresMissing() !== null) return;
    server = await startPostgres({ bin });
    as.owner = await server.connect('owner');
    ({ id: space } = await createSpace(as.owner, 'acme'));
    ({ id: elsewhere } = await createSpace(as.owner, 'elsewhere'));
    for (const login of [...ROLES, 'stranger', 'outsider'] as const) {
      await addLogin(server, login);
      as[login] = await server.connect(login);
    }
    for (const role of ROLES) await setMember(as.owner, space, role, role);
    await setMember(as.owner, elsewhere, 'outsider', 'curator');
  }, 60_000);

  afterAll(async () => {
    for (const client of Object.values(as)) await client.end();
    await server?.remove();
  });

  beforeEach(async () => {
    await as.owner.query('TRUNCATE reflect.revision, reflect.head');
  });

  const publish = (who: Who, given: Record<string, unknown> = {}) => {
    const id = randomUUID();
    const row = {
      space,
      rev: id,
      note_id: id,
      kind: 'create',
      project: 'github.com/acme/shop',
      note: { title: 'Use pnpm' },
      hash: 'x',
      ...given,
    };
    const names = Object.keys(row);
    return as[who].query<{ rev: string; note_id: string; seq: string; conflict: boolean; author: string }>(
      `INSERT INTO reflect.revision (${names.join(', ')}) VALUES (${names.map((_, at) => `$${at + 1}`).join(', ')})
       RETURNING rev, note_id, seq, conflict, author`,
      Object.values(row),
    );
  };
  const one = async (...given: Parameters<typeof publish>) => {
    const [row] = (await publish(...given)).rows;
    if (!row) throw new Error('nothing was inserted');
    return row;
  };
  const count = async (who: Who, table: string) =>
    Number((await as[who].query<{ count: string }>(`SELECT count(*) FROM reflect.${table}`)).rows[0]?.count);

  test('the schema comes from every earlier version, and a second time changes nothing', async () => {
    await server.sql('CREATE DATABASE fresh');
    const client = await server.connect('owner', 'fresh');
    expect(await serverVersion(client)).toBe(0);
    for (let version = 0; version <= SERVER_MIGRATIONS.length; version++)
      await migrateServer(client, SERVER_MIGRATIONS.slice(0, version));
    await migrateServer(client);
    expect(await serverVersion(client)).toBe(SERVER_MIGRATIONS.length);
    await createSpace(client, 'one');
    await client.query('INSERT INTO reflect.migration (version) VALUES (99)');
    await expect(migrateServer(client)).rejects.toThrow('belongs to a newer Reflect (schema 99');
    await expect(openSpace(client, 'one')).rejects.toThrow('Update Reflect');
    await client.end();
  });

  test('members read their space, and nobody else reads a thing', async () => {
    await publish('writer');
    for (const role of ROLES)
      expect([role, await count(role, 'revision'), await count(role, 'head')]).toEqual([role, 1, 1]);
    for (const table of ['space', 'member', 'revision', 'head'])
      await expect(count('stranger', table), table).rejects.toThrow('permission denied');
    expect(await Promise.all(['revision', 'head'].map((table) => count('outsider', table)))).toEqual([0, 0]);
    expect(await count('outsider', 'space')).toBe(1); // their own
    expect(await count('outsider', 'member')).toBe(2);
    await expect(openSpace(as.outsider, 'acme')).rejects.toThrow('no space “acme”');
    await expect(openSpace(as.stranger, 'acme')).rejects.toThrow('permission denied');
  });

  test('a reader and an outsider publish nothing, by whatever SQL', async () => {
    await publish('writer');
    for (const who of ['reader', 'outsider'] as const) {
      await expect(publish(who)).rejects.toThrow('row-level security');
      await expect(publish(who, { author: 'writer' })).rejects.toThrow('row-level security');
    }
    await expect(publish('stranger')).rejects.toThrow('permission denied');
    expect(await count('owner', 'revision')).toBe(1);
  });

  test('an author cannot be forged, and nothing is changed or removed in place', async () => {
    const { note_id, author } = await one('writer');
    expect(author).toBe('writer');
    for (const who of ['writer', 'curator'] as const) {
      await expect(publish(who, { author: 'reader' })).rejects.toThrow('row-level security');
      for (const column of ['seq', 'at', 'conflict'])
        await expect(publish(who, { [column]: column === 'at' ? '2020-01-01' : 1 })).rejects.toThrow(
          'permission denied',
        );
      for (const sql of [
        `UPDATE reflect.revision SET note = '{}' WHERE note_id = '${note_id}'`,
        'DELETE FROM reflect.revision',
        'TRUNCATE reflect.revision',
        `UPDATE reflect.head SET owner = '${who}'`,
        'DELETE FROM reflect.head',
        `INSERT INTO reflect.head VALUES (${space}, '${randomUUID()}', 9, '${randomUUID()}', '${who}', 'p', false)`,
        `INSERT INTO reflect.member VALUES (${space}, '${who}', 'curator')`,
        `UPDATE reflect.member SET role = 'curator'`,
        `INSERT INTO reflect.space (name) VALUES ('mine')`,
        'ALTER TABLE reflect.revision DISABLE ROW LEVEL SECURITY',
        'DROP POLICY publish ON reflect.revision',
        'SET SESSION AUTHORIZATION owner',
        'SET ROLE curator_of_nothing',
        'DROP SCHEMA reflect CASCADE',
      ])
        await expect(as[who].query(sql), sql).rejects.toThrow(
          /permission denied|must be owner|does not exist/,
        );
    }
    expect(await count('owner', 'revision')).toBe(1);
  });

  test('a writer changes own notes only, a curator everybody’s, and only a curator speaks to every project', async () => {
    const theirs = await one('curator');
    const own = await one('writer');
    const update = ({ note_id, rev }: typeof own) => ({
      rev: randomUUID(),
      note_id,
      parent: rev,
      kind: 'update',
    });
    await expect(publish('writer', update(theirs))).rejects.toThrow('row-level security');
    await expect(publish('writer', { ...update(theirs), kind: 'delete' })).rejects.toThrow(
      'row-level security',
    );
    await expect(publish('writer', { everywhere: true, project: '' })).rejects.toThrow('row-level security');
    await expect(publish('curator', { project: '' })).rejects.toThrow('has_a_project');
    expect((await one('writer', update(own))).conflict).toBe(false);
    expect((await one('curator', update(theirs))).conflict).toBe(false);
    expect((await one('curator', { everywhere: true, project: '' })).conflict).toBe(false);
  });

  test('of two edits of one revision both are in the log, and the first is the head', async () => {
    const { note_id, rev } = await one('writer');
    const edit = () => ({ rev: randomUUID(), note_id, parent: rev, kind: 'update' });
    const [first, second] = [await one('writer', edit()), await one('curator', edit())];
    expect([first.conflict, second.conflict]).toEqual([false, true]);
    const { rows } = await as.reader.query('SELECT rev FROM reflect.head');
    expect(rows).toEqual([{ rev: first.rev }]);
    expect(await count('reader', 'revision')).toBe(3);
  });

  test('a note that is taken back leaves no words in the log, and stays gone', async () => {
    const { note_id, rev } = await one('writer');
    const conflicting = { rev: randomUUID(), note_id, parent: randomUUID(), kind: 'update' };
    await publish('writer', conflicting);
    await publish('writer', { rev: randomUUID(), note_id, kind: 'delete', parent: null, note: null });
    expect((await as.owner.query('SELECT note FROM reflect.revision')).rows).toEqual([
      { note: null },
      { note: null },
      { note: null },
    ]);
    await expect(
      publish('writer', { rev: randomUUID(), note_id, parent: rev, kind: 'update' }),
    ).rejects.toThrow('taken back');
  });

  test('a note of ten megabytes is refused', async () => {
    await expect(publish('writer', { note: { title: 'x'.repeat(10_000_000) } })).rejects.toThrow('note_size');
  });

  test('revisions that arrive at once are numbered in the order of their commits, without a gap', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => server.connect('writer')));
    await Promise.all(
      clients.map(async (client) => {
        for (let at = 0; at < 25; at++)
          await client.query(
            `INSERT INTO reflect.revision (space, rev, note_id, kind, project, note, hash) VALUES ($1, $2, $2, 'create', 'p', '{}', '')`,
            [space, randomUUID()],
          );
        await client.end();
      }),
    );
    const { rows } = await as.owner.query<{ seq: string }>('SELECT seq FROM reflect.revision ORDER BY seq');
    expect(rows.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
  });

  test('a poll and a page of the log read the end of the log, not all of it', async () => {
    const plans: string[] = [];
    // The statements as they are sent, with EXPLAIN before them.
    const explaining = {
      query: async (text: string, values: unknown[]) => {
        const { rows } = await as.reader.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return { rows: [] };
      },
    } as unknown as Client;
    await as.reader.query('SET enable_seqscan = off; SET enable_bitmapscan = off'); // as with many rows
    await readTail(explaining, space, 1);
    await readLog(explaining, space, 50);
    await as.reader.query('RESET ALL');
    expect(plans).toHaveLength(2);
    for (const plan of plans) {
      expect(plan).toContain('Index Scan Backward using revision_pkey');
      expect(plan).not.toContain('Sort');
    }
  });

  test('who is no member any more reads and writes nothing', async () => {
    await addLogin(server, 'leaver');
    await setMember(as.owner, space, 'leaver', 'curator');
    const client = await server.connect('leaver');
    await openSpace(client, 'acme');
    await setMember(as.owner, space, 'leaver', null);
    await expect(openSpace(client, 'acme')).rejects.toThrow('no space “acme”');
    await client.end();
    await expect(setMember(as.owner, space, 'nobody-here', 'reader')).rejects.toThrow(
      'has no login “nobody-here”',
    );
    await expect(setMember(as.curator, space, 'reader', 'curator')).rejects.toThrow(
      'Only the login that created',
    );
  });
});
