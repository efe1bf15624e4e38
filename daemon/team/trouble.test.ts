import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openQuestions } from '../store/learnings/questions.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { findTeamNote, teamNotes } from '../store/team.ts';
import { EDITED } from '../testing/temp-home.ts';
import { runDaemon } from '../testing/running-daemon.ts';
import { giveToServer, TEAM_ENVIRONMENT, type TestServer } from '../testing/postgres.ts';
import { connectTo } from './server/connection.ts';
import { Team } from './team.ts';
import { type Colleague, colleague, member, newSpace, partsOf, SHOP, shareServer } from './testing.ts';

let server: TestServer;
let spaces = 0;
shareServer((started) => (server = started));

async function pair(): Promise<{ space: string; ana: Colleague; bo: Colleague }> {
  const space = `trouble-${++spaces}`;
  await newSpace(server, space, { ana: 'writer', bo: 'writer' });
  const [ana, bo] = await Promise.all([member(server, space, 'ana'), member(server, space, 'bo')]);
  return { space, ana, bo };
}

const patient = { timeout: 25_000, interval: 50 };

test('a wrong address, password, database, space or login is said in a sentence, and nothing is joined', async () => {
  await newSpace(server, 'sentences', { ana: 'writer' });
  const ana = colleague('ana');
  const stranger = colleague('ana', { environment: { PGPASSWORD: 'wrong' } });
  const good = server.url('ana');
  const join = (url: string, space = 'sentences', who = ana) =>
    who.team.join({ url, space, everything: false });
  await expect(join('not a url')).rejects.toThrow('Give the address as postgres://login@host:port/database.');
  await expect(join('https://example.test/x')).rejects.toThrow('Give the address as');
  await expect(join(good.replace('ana@', 'ana:secret@'))).rejects.toThrow(
    'Leave the password out of the address',
  );
  await expect(join('postgres://ana@127.0.0.1:1/postgres')).rejects.toThrow(
    '127.0.0.1:1: No server answers at this address.',
  );
  await expect(join(good, 'sentences', stranger)).rejects.toThrow('refused the password');
  await expect(join(server.url('nobody'))).rejects.toThrow('refused the password');
  await expect(join(server.url('ana', 'nowhere'))).rejects.toThrow('has no such database');
  await expect(join(good, 'nowhere')).rejects.toThrow('There is no space “nowhere” on this server');
  await server.sql('CREATE DATABASE bare');
  await expect(join(server.url('owner', 'bare'))).rejects.toThrow('holds no team memory');
  await expect(ana.team.remote.create(good, 'mine')).rejects.toThrow('may not do that');
  expect(ana.team.status()).toEqual([]);
  await join(good);
  await expect(join(good)).rejects.toThrow('You are in a space “sentences” already');
});

/** Says no to encryption, as a PostgreSQL without a certificate does. */
function withoutEncryption(): Promise<Server> {
  const { promise, resolve } = Promise.withResolvers<Server>();
  const plain = createServer((socket) => socket.once('data', () => socket.end('N')));
  plain.listen(0, () => resolve(plain));
  onTestFinished(() => void plain.close());
  return promise;
}

test('nothing is sent unencrypted to another machine', async () => {
  const plain = await withoutEncryption();
  const address = plain.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  // Not a loopback name for us, though it leads here.
  const url = `postgres://ana@0.0.0.0:${port}/x`;
  await expect(connectTo({ url, environment: TEAM_ENVIRONMENT, passwordCommand: '' })).rejects.toThrow(
    'Reflect sends nothing unencrypted to another machine',
  );
});

test('a schema that is newer is refused, and goes on when it is known again', async () => {
  const { ana, bo } = await pair();
  const id = ana.learn({ title: 'Before the update' });
  await server.sql('INSERT INTO reflect.migration (version) VALUES (99)');
  expect((await ana.team.publish(undefined, [id])).problem).toMatch('belongs to a newer Reflect (schema 99');
  expect(ana.team.status()[0]).toMatchObject({ state: 'offline', unsent: 1 });
  expect(ana.titles()).toEqual(['Before the update']);
  await server.sql('DELETE FROM reflect.migration WHERE version = 99');
  await ana.inStep();
  await bo.inStep();
  expect(bo.titles()).toEqual(['Before the update']);
});

test('a server that is read-only takes nothing; what was published waits and is sent later', async () => {
  const { ana, bo } = await pair();
  await server.sql('ALTER DATABASE postgres SET default_transaction_read_only = on');
  await server.sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'reflect'`,
  );
  const id = ana.learn({ title: 'Written meanwhile' });
  await vi.waitFor(
    async () => expect((await ana.team.publish(undefined, [id])).queued).toBeLessThan(2),
    patient,
  );
  await vi.waitFor(() => expect(ana.team.status()[0]?.problem).toMatch('read-only'), patient);
  expect(ana.team.status()[0]).toMatchObject({ unsent: 1, refused: [] });
  await server.sql(
    'SET transaction_read_only = off; ALTER DATABASE postgres RESET default_transaction_read_only',
  );
  await server.sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'reflect'`,
  );
  await ana.inStep();
  await bo.inStep();
  expect(bo.titles()).toEqual(['Written meanwhile']);
  expect(ana.team.status()[0]).toMatchObject({ unsent: 0, problem: null });
});

test('without a server local work goes on, and both sides catch up when it is back', async () => {
  const { ana, bo } = await pair();
  await server.kill();
  const id = ana.learn({ title: 'Learned offline' });
  const { queued, problem } = await ana.team.publish(undefined, [id]);
  expect([queued, problem]).toEqual([1, expect.stringMatching('team’s server')]);
  expect(ana.team.status()[0]).toMatchObject({ state: 'offline', unsent: 1 });
  const regretted = ana.learn({ title: 'Published by mistake' });
  await ana.team.publish(undefined, [regretted]);
  await ana.team.retract(undefined, regretted);
  await server.start();
  await ana.inStep();
  await bo.inStep();
  expect(bo.titles()).toEqual(['Learned offline']);
  expect(ana.titles()).toEqual(['Learned offline', 'Published by mistake']);
  const log = (await ana.team.remote.log(undefined, 10)).map(({ kind }) => kind);
  expect(log, 'the words of what was taken back never left').toEqual(['delete', 'create']);
});

test('a member who is removed keeps everything and is told; a space that is gone likewise', async () => {
  const { space, ana, bo } = await pair();
  await ana.team.publish(undefined, [ana.learn({ title: 'Of Ana' })]);
  await bo.inStep();
  await server.sql(`DELETE FROM reflect.member WHERE login = 'bo'`);
  await expect(bo.team.sync()).rejects.toThrow(`no space “${space}”`);
  expect(bo.titles()).toEqual(['Of Ana']);
  await server.sql('DELETE FROM reflect.space WHERE name = $1', [space]);
  await expect(ana.team.sync()).rejects.toThrow(`no space “${space}”`);
  expect(ana.team.status()[0]).toMatchObject({ published: 1, unsent: 0, state: 'offline' });
  expect(teamNotes(ana.store.db, space, 'own')).toHaveLength(1);
});

test('a server that was restored from an older backup is noticed, and nothing is lost', async () => {
  const { space, ana, bo } = await pair();
  await ana.team.publish(undefined, [ana.learn({ title: 'Bundle with rolldown' })]);
  await ana.inStep();
  await bo.inStep();
  await server.sql('CREATE TABLE saved AS SELECT * FROM reflect.revision');
  await server.sql('CREATE TABLE saved_head AS SELECT * FROM reflect.head');
  await ana.team.publish(undefined, [ana.learn({ title: 'Format with prettier' })]);
  await bo.team.publish(undefined, [bo.learn({ title: 'Deploy at noon' })]);
  await Promise.all([ana.inStep(), bo.inStep()]);
  await bo.inStep();
  await server.sql(`DELETE FROM reflect.revision WHERE rev NOT IN (SELECT rev FROM saved);
    DELETE FROM reflect.head WHERE rev NOT IN (SELECT rev FROM saved_head); DROP TABLE saved; DROP TABLE saved_head`);
  await ana.inStep();
  expect(ana.team.status()[0]?.problem).toMatch('restored from an older backup: its log ends at');
  await bo.inStep();
  await ana.inStep();
  const all = ['Bundle with rolldown', 'Deploy at noon', 'Format with prettier'];
  expect([ana.titles(), bo.titles()]).toEqual([all, all]);
  expect(
    (await server.sql(
      `SELECT note ->> 'title' AS title FROM reflect.head JOIN reflect.revision USING (space, rev)
      WHERE head.space = (SELECT id FROM reflect.space WHERE name = $1) ORDER BY 1`,
      [space],
    )) as Array<{ title: string }>,
  ).toEqual(all.map((title) => ({ title })));
});

test('a clock that is wrong by a day, on either side, changes nothing', async () => {
  const { space, ana, bo } = await pair();
  ana.store.tick(86_400_000);
  bo.store.tick(-86_400_000);
  const id = ana.learn({ title: 'From tomorrow' });
  await ana.team.publish(undefined, [id]);
  await bo.inStep();
  const [{ noteId } = { noteId: '' }] = teamNotes(ana.store.db, space, 'own');
  expect(findTeamNote(bo.store.db, space, noteId)?.role).toBe('copy');
  const { created_at: created } = bo.store.db
    .prepare<[], { created_at: number }>('SELECT created_at FROM learning')
    .get() ?? { created_at: 0 };
  expect(created).toBeLessThanOrEqual(bo.store.now());
  const copy = bo.titles();
  expect(copy).toEqual(['From tomorrow']);
});

test('a note that is too large is refused by the server, stays here and says why', async () => {
  const { ana, bo } = await pair();
  const large = ana.learn({
    title: 'Too large',
    body: 'word '.repeat(19_000),
    problem: 'word '.repeat(19_000),
    fix: 'word '.repeat(19_000),
  });
  await ana.team.publish(undefined, [large, ana.learn({ title: 'Small' })]);
  expect(ana.team.status()[0]).toMatchObject({
    unsent: 0,
    published: 1,
    refused: [{ title: 'Too large', why: expect.stringMatching('too large') as string }],
  });
  await bo.inStep();
  expect(bo.titles()).toEqual(['Small']);
  expect(ana.titles()).toEqual(['Small', 'Too large']);
});

test('a revision of 10 MB, from a server without our limits, is refused here with a sentence, and the rest comes in', async () => {
  const { space, ana, bo } = await pair();
  const [limit] = (await server.sql(
    `SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint WHERE conname = 'note_size'`,
  )) as Array<{ rule: string }>;
  await server.sql('ALTER TABLE reflect.revision DROP CONSTRAINT note_size');
  const raw = await server.connect('ana');
  const publish = (note: object, vectors: unknown = null) =>
    raw.query(
      `INSERT INTO reflect.revision (space, rev, note_id, kind, project, note, hash, vectors)
       SELECT id, gen_random_uuid(), gen_random_uuid(), 'create', $2, $3, '', $4 FROM reflect.space WHERE name = $1`,
      [space, SHOP, JSON.stringify(note), JSON.stringify(vectors)],
    );
  const large = 'word '.repeat(2_000_000);
  await publish({ title: 'Too large', body: large });
  await publish({ title: 'With large vectors' }, [{ model: 'x', weights: '', int8: large }]);
  await raw.end();
  await ana.team.publish(undefined, [ana.learn({ title: 'Small' })]);
  await bo.inStep();
  await server.sql(`DELETE FROM reflect.revision WHERE octet_length(note::text) > 1000000 OR octet_length(vectors::text) > 1000000;
    ALTER TABLE reflect.revision ADD CONSTRAINT note_size ${limit?.rule}`);
  expect(bo.titles()).toEqual(['Small', 'With large vectors']);
  expect(bo.team.status()[0]?.refused).toMatchObject([
    { why: expect.stringMatching('more than a note may have') as string },
  ]);
});

/** A disk of a megabyte that a server may use; null where this user may not make one. */
function smallDisk(): { folder: string; grow: () => void } | null {
  const folder = mkdtempSync(join(tmpdir(), 'reflect-small-disk-'));
  const mount = (...args: string[]) =>
    spawnSync('mount', ['-t', 'tmpfs', ...args, 'tmpfs', folder], { stdio: 'ignore' }).status === 0;
  onTestFinished(() => {
    spawnSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  if (!mount('-o', 'size=1m')) return null;
  giveToServer(folder);
  return { folder, grow: () => mount('-o', 'remount,size=64m') };
}

test('a server whose disk is full takes nothing; what was published waits and is sent when there is room', async ({
  skip,
}) => {
  const disk = smallDisk();
  if (!disk) return skip('only root can mount a disk that is small enough to fill');
  const { ana, bo } = await pair();
  await server.sql(`CREATE TABLESPACE small LOCATION '${disk.folder}'`);
  await server.sql('ALTER TABLE reflect.revision SET TABLESPACE small');
  // Nothing that could be compressed, and nothing that reads like a secret.
  const noise = (length: number) =>
    Array.from(randomBytes(length), (byte) => (byte < 40 ? ' ' : String.fromCharCode(97 + (byte % 26)))).join(
      '',
    );
  const titles = Array.from({ length: 8 }, (_, at) => `Number ${at}`);
  const ids = titles.map((title) => ana.learn({ title, body: noise(90_000) }));
  const { problem } = await ana.team.publish(undefined, ids);
  expect(problem).toMatch('disk is full');
  const waiting = ana.team.status()[0];
  expect(waiting).toMatchObject({ state: 'offline', refused: [] });
  expect(waiting?.unsent).toBeGreaterThan(0);
  expect(ana.titles()).toEqual(titles);
  disk.grow();
  await ana.inStep();
  await bo.inStep();
  await server.sql('ALTER TABLE reflect.revision SET TABLESPACE pg_default');
  await server.sql('DROP TABLESPACE small');
  expect(bo.titles()).toEqual(titles);
  expect(ana.team.status()[0]).toMatchObject({ unsent: 0, problem: null });
});

test('through the daemon: created, joined, published on one machine, recalled on the other with its author', async () => {
  await newSpace(server, 'whole', { ana: 'writer', bo: 'reader' });
  const [a, b] = await Promise.all([runDaemon(TEAM_ENVIRONMENT), runDaemon(TEAM_ENVIRONMENT)]);
  const created = await a.call('team.create', { url: server.url('owner'), space: 'whole' });
  expect(created).toMatchObject({
    role: 'curator',
    members: [{ login: 'ana' }, { login: 'bo' }, { login: 'owner' }],
  });
  for (const daemon of [a, b])
    await daemon.call('learnings.create', { note: { title: 'The shop rounds to cents', project: SHOP } });
  await a.call('team.join', { url: server.url('ana'), space: 'whole' });
  await b.call('team.join', { url: server.url('bo'), space: 'whole' });
  const { learning } = await a.call('learnings.create', {
    note: { title: 'Invoices round half to even', rule: 'Use bankers rounding', project: SHOP },
  });
  expect(await a.call('team.publish', { ids: [learning.id] })).toMatchObject({ queued: 1, problem: null });
  const recalled = await vi.waitFor(async () => {
    const { hits } = await b.call('recall.search', { query: 'how do invoices round', project: SHOP });
    const hit = hits.find(({ learning: { title } }) => title === 'Invoices round half to even');
    expect(hit).toBeDefined();
    return hit;
  }, patient);
  expect(recalled?.learning.metadata).toMatchObject({ colleague: 'whole/ana' });
  expect((await b.call('team.preview', { project: SHOP }))[0]?.staysBecause).toBe(
    'you may only read in whole',
  );
  await b.stop();
  await a.call('team.retract', { id: learning.id });
  const again = await runDaemon(TEAM_ENVIRONMENT, b.home);
  await vi.waitFor(
    async () => expect((await again.call('learnings.list', {})).items).toHaveLength(1),
    patient,
  );
});

test('machines that publish at once, while they and the server are killed, all end with the same notes', async () => {
  const space = `many-${++spaces}`;
  const logins = ['m1', 'm2', 'm3', 'm4'];
  await newSpace(server, space, Object.fromEntries(logins.map((login) => [login, 'writer' as const])));
  const machines = await Promise.all(logins.map((login) => member(server, space, login)));
  const teams = machines.map(({ team }) => team);
  const restart = async (at: number) => {
    const { store } = machines[at] as Colleague;
    await teams[at]?.stop(); // in the middle of whatever it does
    const again = new Team({ ...partsOf(store), environment: TEAM_ENVIRONMENT });
    onTestFinished(() => again.stop());
    again.start();
    teams[at] = again;
  };
  const PER_MACHINE = 8;
  const publishing = machines.map(async ({ learn, store }, at) => {
    for (let number = 0; number < PER_MACHINE; number++) {
      const id = learn({ title: `Lesson ${number} of machine ${at}`, rule: 'first' });
      await teams[at]?.publish(space, [id]).catch(() => {}); // stopped meanwhile: it is in the outbox
      if (number % 3 === 0) changeLearning(store, id, { rule: 'second' }, EDITED);
      if (number % 3 === 0) await teams[at]?.publish(space, [id]).catch(() => {});
      if (number === 5) await restart(at);
    }
  });
  await server.kill();
  await server.start();
  await Promise.all(publishing);
  await server.kill();
  await server.start();
  const inStep = () => Promise.all(teams.map((team) => vi.waitFor(() => team.sync(), patient)));
  await inStep(); // everything is sent
  await inStep(); // everything has come
  const heads = (await server.sql(
    `SELECT note_id::text AS "noteId", rev::text FROM reflect.head JOIN reflect.space ON space = id WHERE name = $1 ORDER BY 1`,
    [space],
  )) as Array<{ noteId: string; rev: string }>;
  expect(heads).toHaveLength(logins.length * PER_MACHINE);
  for (const { store } of machines) {
    const known = store.db
      .prepare<[string], { noteId: string; rev: string }>(
        'SELECT note_id AS noteId, rev FROM team_note WHERE space = ? ORDER BY 1',
      )
      .all(space);
    expect(known).toEqual(heads);
    expect(store.db.prepare('SELECT count(*) FROM learning WHERE live = 1').pluck().get()).toBe(heads.length);
    expect(
      store.db.prepare(`SELECT count(*) FROM learning WHERE note ->> '$.rule' = 'second'`).pluck().get(),
    ).toBe(12);
    expect(openQuestions(store.db)).toEqual([]);
  }
});
