import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathsOf } from '../../platform/paths.ts';
import type { TestServer } from '../../testing/postgres.ts';
import { sleep } from '../daemon-process.ts';
import { useOf } from '../machine.ts';
import { lastOf, makeSpace, Member, persistently, until } from './members.ts';
import { type Line, seconds } from './table.ts';

const PROJECT = 'github.com/acme/shop';
const AT_A_TIME = 10; // daemons that start beside each other
const BATCH = 20; // notes published in one request
const KILLS = 60; // about as many daemons are killed, however long it takes; starting one costs a second

interface Together {
  daemons: number;
  revisions: number;
  folder: string;
}

/**
 * Everybody publishes at once, a tenth of it as edits, while daemons and the server are killed. Then every daemon must
 * know the same revisions as the server, none lost and none doubled.
 */
export async function publishTogether(
  server: TestServer,
  { daemons, revisions, folder }: Together,
): Promise<Line[]> {
  const space = `together-${daemons}`;
  const logins = Array.from({ length: daemons }, (_, at) => `d${at}`);
  const id = await makeSpace(server, space, logins);
  const members = logins.map(
    (login) => new Member(server, login, { paths: pathsOf(join(folder, `${space}-${login}`)) }),
  );
  for (let from = 0; from < daemons; from += AT_A_TIME)
    await Promise.all(
      members.slice(from, from + AT_A_TIME).map(async (member) => {
        await member.start();
        await member.join(space);
      }),
    );
  const memory = members.reduce((sum, { pid }) => sum + useOf(pid).rssMb, 0);
  const start = performance.now();
  const each = Math.ceil(revisions / 1.1 / daemons);
  let isPublishing = true;
  const publishing = Promise.all(members.map((member) => publishAll(member, space, each))).finally(
    () => (isPublishing = false),
  );
  const pause = Math.max(1_000, (revisions * daemons) / KILLS);
  const kills = await killAtRandom(server, members, pause, () => isPublishing);
  await publishing;
  const published = performance.now() - start;
  await until('everybody has everything', () => areInStep(server, { space, id }, members), 250);
  const took = performance.now() - start;
  const verdict = await compare(server, space, members, each * daemons);
  await Promise.all(members.map((member) => member.stop()));
  for (const { paths } of members) rmSync(paths.home, { recursive: true });
  const edits = Math.floor(each / 10) * daemons;
  const name = `${daemons} daemons, ${each * daemons + edits} revisions at once`;
  return [
    {
      what: `${name}, ${kills.daemons} daemons and ${kills.servers} times the server killed: same heads, none lost, none doubled`,
      measured: verdict === null ? 'yes' : verdict,
      bar: 'yes',
      met: verdict === null,
    },
    {
      what: '  all published; all arrived everywhere; memory of the daemons',
      measured: `${seconds(published)}; ${seconds(took)}; ${memory.toFixed(0)} MB`,
    },
  ];
}

/** Asks again until it is answered: creating the same note and publishing it twice changes nothing. */
async function publishAll({ login, call }: Member, space: string, each: number): Promise<void> {
  for (let from = 0; from < each; from += BATCH) {
    const ids: string[] = [];
    for (let number = from; number < Math.min(each, from + BATCH); number++) {
      const note = { title: `Lesson ${number} of ${login}`, rule: 'first', project: PROJECT };
      ids.push(await persistently(async () => (await call('learnings.create', { note })).learning.id));
    }
    await persistently(() => call('team.publish', { space, ids }));
    const edited = ids.filter((_, at) => (from + at) % 10 === 9);
    for (const id of edited)
      await persistently(() => call('learnings.update', { id, patch: { rule: 'second' } }));
    if (edited.length > 0) await persistently(() => call('team.publish', { space, ids: edited }));
  }
}

async function killAtRandom(
  server: TestServer,
  members: readonly Member[],
  pause: number,
  goesOn: () => boolean,
): Promise<{ daemons: number; servers: number }> {
  const killed = { daemons: 0, servers: 0 };
  while (goesOn()) {
    await sleep(pause * (0.5 + Math.random()));
    if (!goesOn()) break;
    if (killed.daemons % 3 === 2 && killed.servers < 1 + killed.daemons / 3) {
      await server.kill();
      await sleep(500);
      await server.start();
      killed.servers++;
    }
    const victim = members[Math.floor(Math.random() * members.length)];
    await victim?.kill();
    await victim?.start();
    killed.daemons++;
  }
  return killed;
}

interface Known {
  noteId: string;
  rev: string;
}

async function headsOf(server: TestServer, space: string): Promise<Known[]> {
  return (await server.sql(
    `SELECT note_id::text AS "noteId", rev::text FROM reflect.head JOIN reflect.space ON space = id WHERE name = $1 ORDER BY 1`,
    [space],
  )) as Known[];
}

const knownTo = (member: Member, space: string): Known[] =>
  member.rows<Known>('SELECT note_id AS noteId, rev FROM team_note WHERE space = ? ORDER BY 1', space);

/** True when everybody has sent all and read the log to its end; `compare` then looks at what they have. */
async function areInStep(
  server: TestServer,
  { space, id }: { space: string; id: number },
  members: readonly Member[],
): Promise<boolean> {
  const last = await lastOf(server, id);
  return members.every(
    (member) =>
      member.position(space) === last &&
      member.rows('SELECT 1 FROM team_outbox WHERE space = ? LIMIT 1', space).length === 0,
  );
}

/** Null when all is well, otherwise what is wrong. */
async function compare(
  server: TestServer,
  space: string,
  members: readonly Member[],
  expected: number,
): Promise<string | null> {
  const heads = await headsOf(server, space);
  if (heads.length !== expected) return `${heads.length} notes on the server instead of ${expected}`;
  for (const member of members) {
    if (JSON.stringify(knownTo(member, space)) !== JSON.stringify(heads))
      return `${member.login} knows other revisions than the server`;
    const titles = member
      .rows<{ title: string }>('SELECT title FROM learning WHERE live = 1')
      .map(({ title }) => title);
    if (titles.length !== expected || new Set(titles).size !== expected)
      return `${member.login} has ${titles.length} notes, ${new Set(titles).size} of them different, instead of ${expected}`;
  }
  return null;
}
