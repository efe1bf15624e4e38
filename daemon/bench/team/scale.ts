import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { openSpace, previewSpace } from '../../team/server/spaces.ts';
import { readHeads, readLog, readTail } from '../../team/server/log.ts';
import { pathsOf } from '../../platform/paths.ts';
import type { TestServer } from '../../testing/postgres.ts';
import type { Homes } from '../home.ts';
import { median, percentile, timed } from '../statistics.ts';
import { lastOf, makeSpace, Member, until } from './members.ts';
import { type Line, milliseconds, seconds } from './table.ts';
import { insertNotes } from './while-syncing.ts';

const POLLS = 200;
const WEEK = 500; // revisions that were missed

/** A log of this many revisions, ten of each note: joining, catching up, polling, size, and full table reads. */
export async function benchScale(
  server: TestServer,
  homes: Homes,
  { revisions, joins }: { revisions: number; joins: boolean },
): Promise<Line[]> {
  const name = `scale-${revisions}`;
  const id = await makeSpace(server, name, ['scale', 'stream']);
  const filling = await timed(() => fill(server, id, revisions));
  const client = await server.connect('scale');
  const count = revisions.toLocaleString('en');
  const [size] = (await server.sql(
    `SELECT sum(pg_total_relation_size(c.oid))::float8 AS bytes, (SELECT count(*)::float8 FROM reflect.revision) AS rows
     FROM pg_class c WHERE c.oid IN ('reflect.revision'::regclass, 'reflect.head'::regclass)`,
  )) as Array<{ bytes: number; rows: number }>;
  const polls: number[] = [];
  for (let poll = 0; poll < POLLS; poll++) polls.push(await timed(() => readTail(client, id, revisions)));
  const info = await openSpace(client, name);
  const preview = await timed(() => previewSpace(client, info, null));
  const log = await timed(() => readLog(client, id, 50));
  const scans = await queriesThatScan(client, id, revisions);
  const lines: Line[] = [
    {
      what: `${count} revisions of ${(revisions / 10).toLocaleString('en')} notes, filled by SQL`,
      measured: `${seconds(filling)}, ${((size?.bytes ?? 0) / 1e6).toFixed(0)} MB, ${Math.round((size?.bytes ?? 0) / (size?.rows ?? 1))} bytes a revision`,
    },
    {
      what: '  a poll, p50 / p95; newest 50 of the log; preview of joining',
      measured: `${milliseconds(median(polls))} / ${milliseconds(percentile(polls, 0.95))}; ${milliseconds(log)}; ${milliseconds(preview)}`,
    },
    {
      what: '  polls, pages of the log and of what is new that read a whole table',
      measured: scans.length === 0 ? 'none' : scans.join(', '),
      bar: 'none',
      met: scans.length === 0,
    },
  ];
  await client.end();
  return joins ? [...lines, ...(await joinAndCatchUp(server, homes, name, id, revisions))] : lines;
}

async function joinAndCatchUp(
  server: TestServer,
  homes: Homes,
  space: string,
  id: number,
  revisions: number,
): Promise<Line[]> {
  const member = new Member(server, 'scale', { paths: pathsOf(homes.folder(`join-${revisions}`)) });
  const writer = await server.connect('stream');
  await member.start();
  try {
    const notes = revisions / 10;
    const joining = member.join(space).catch(() => {}); // the request may end before the work does
    const last = await lastOf(server, id);
    const joined = await timed(() =>
      until('everything has come in', () => member.position(space) === last, 100),
    );
    await joining;
    await member.stop();
    for (let done = 0; done < WEEK; done += 100) await insertNotes(writer, id, 100, []);
    const newest = await lastOf(server, id);
    await member.start();
    const caughtUp = await timed(() =>
      until('it has caught up', () => member.position(space) === newest, 20),
    );
    return [
      {
        what: '  first join of a new colleague, by a daemon',
        measured: `${seconds(joined)} for ${notes.toLocaleString('en')} notes, ${Math.round(notes / (joined / 1_000))} a second`,
      },
      { what: `  catching up on ${WEEK} missed notes after a start`, measured: seconds(caughtUp) },
    ];
  } finally {
    await member.stop();
    await writer.end();
  }
}

/** By SQL, because a million publications one by one would take an hour. */
async function fill(server: TestServer, space: number, revisions: number): Promise<void> {
  const notes = revisions / 10;
  const owner = await server.connect('owner');
  await owner.query('SET session_replication_role = replica'); // without the triggers
  const noteId = 'md5($1::text || number)::uuid';
  const revOf = (at: string) => `md5($1::text || '-' || ${at})::uuid`;
  const text = `'Note ' || number || ' says: keep the ' || md5(number::text) || ' apart from the ' || md5((number + 1)::text)`;
  const step = 100_000;
  for (let from = 1; from <= revisions; from += step)
    await owner.query(
      `INSERT INTO reflect.revision (space, seq, rev, note_id, parent, kind, author, at, project, note, hash)
       SELECT $1::int, seq, ${revOf('seq')}, ${noteId}, CASE WHEN seq > $2::int THEN ${revOf('(seq - $2::int)')} END,
              CASE WHEN seq > $2::int THEN 'update' ELSE 'create' END, 'd' || (number % 50), now() - make_interval(secs => $3 - seq),
              'github.com/acme/project' || (number % 40),
              jsonb_build_object('title', ${text}, 'rule', ${text}, 'problem', repeat(${text} || '. ', 3), 'tags', jsonb_build_array('one', 'two')), ''
       FROM (SELECT seq, seq % $2::int AS number FROM generate_series($4::int, $5::int) AS seq) AS made`,
      [space, notes, revisions, from, Math.min(revisions, from + step - 1)],
    );
  await owner.query(
    `INSERT INTO reflect.head (space, note_id, seq, rev, owner, project, gone)
     SELECT space, note_id, seq, rev, author, project, false FROM reflect.revision WHERE space = $1 AND seq > $2`,
    [space, revisions - notes],
  );
  await owner.query('ANALYZE reflect.revision; ANALYZE reflect.head');
  await owner.end();
}

/** The everyday queries, each with EXPLAIN: the names of those that read a whole table. */
async function queriesThatScan(client: Client, space: number, last: number): Promise<string[]> {
  const asked: Record<string, () => Promise<unknown>> = {
    poll: () => readTail(recording, space, last),
    'what is new': () =>
      readHeads(recording, space, { after: last - 100, upTo: last, projects: null, limit: 50 }),
    'what is new of a project': () =>
      readHeads(recording, space, {
        after: last - 100,
        upTo: last,
        projects: ['github.com/acme/project7'],
        limit: 50,
      }),
    'first page': () => readHeads(recording, space, { after: 0, upTo: last, projects: null, limit: 50 }),
    log: () => readLog(recording, space, 50),
  };
  let explained = '';
  // The product's own statements, sent with EXPLAIN before them.
  const recording = {
    query: async (text: string, values: unknown[]) => {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
      explained = rows.map((row) => row['QUERY PLAN']).join('\n');
      return { rows: [] };
    },
  } as unknown as Client;
  const scanning: string[] = [];
  for (const [name, ask] of Object.entries(asked)) {
    await ask();
    if (/Seq Scan on (?:revision|head)/.test(explained)) scanning.push(name);
  }
  return scanning;
}

/** A server that is restored from a copy of its files: daemons notice, and send again what it lost. */
export async function benchRestore(server: TestServer, homes: Homes): Promise<Line[]> {
  const space = 'restored';
  const id = await makeSpace(server, space, ['ana', 'bo']);
  const members = ['ana', 'bo'].map(
    (login) => new Member(server, login, { paths: pathsOf(homes.folder(`restored-${login}`)) }),
  );
  const [ana, bo] = members as [Member, Member];
  const publish = async (member: Member, title: string) => {
    const note = { title, rule: title, project: 'github.com/acme/shop' };
    const { learning } = await member.call('learnings.create', { note });
    await member.call('team.publish', { space, ids: [learning.id] });
  };
  try {
    for (const member of members) await member.start();
    for (const member of members) await member.join(space);
    for (let number = 0; number < 20; number++) await publish(ana, `Keep harbour ${number} open`);
    await server.stop();
    const [data, copy] = [join(server.folder, 'data'), join(server.folder, 'copy')];
    const copyFiles = (from: string, to: string) => execFileSync('cp', ['-a', from, to]); // with their owner
    copyFiles(data, copy);
    await server.start();
    for (let number = 0; number < 20; number++) await publish(bo, `Close lantern ${number} at night`);
    await until('ana has all', () => ana.rows('SELECT 1 FROM learning WHERE live = 1').length === 40);
    await server.kill();
    rmSync(data, { recursive: true });
    copyFiles(copy, data);
    await server.start();
    const took = await timed(() =>
      until('the server has all again', async () => {
        const [{ notes } = { notes: 0 }] = (await server.sql(
          'SELECT count(*)::int AS notes FROM reflect.head WHERE space = $1 AND NOT gone',
          [id],
        )) as Array<{ notes: number }>;
        return (
          notes === 40 &&
          members.every((member) => member.rows('SELECT 1 FROM learning WHERE live = 1').length === 40)
        );
      }),
    );
    const [status] = await bo.call('team.status', {});
    const isSaid = status?.problem?.includes('restored from an older backup') ?? false;
    return [
      {
        what: 'server restored from an older copy of its files: noticed, said, nothing lost',
        measured: isSaid ? `yes, in ${seconds(took)}` : `in step in ${seconds(took)}, but not said`,
        bar: 'yes',
        met: isSaid,
      },
    ];
  } finally {
    await Promise.all(members.map((member) => member.stop()));
  }
}
