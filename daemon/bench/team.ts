// A team on one PostgreSQL: how fast notes reach colleagues, what the server costs, and whether everybody ends with the same.
// `npm run bench:team`, or `npm run bench:team -- --clients 10 --notes 10000`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Note } from '#contract/entities.ts';
import { silentLog } from '../platform/log.ts';
import { pathsOf } from '../platform/paths.ts';
import { rememberProject } from '../store/learnings/learnings.ts';
import { addLearning, type Store } from '../store/learnings/write.ts';
import { searchByWords } from '../store/search/words.ts';
import { openStore } from '../store/open.ts';
import { createSpace, setMember } from '../team/server/spaces.ts';
import { readTail } from '../team/server/log.ts';
import { Team } from '../team/team.ts';
import {
  addLogin,
  postgresMissing,
  startPostgres,
  TEAM_ENVIRONMENT,
  type TestServer,
} from '../testing/postgres.ts';
import { percentile } from './statistics.ts';

const { values } = parseArgs({
  options: { clients: { type: 'string', default: '4' }, notes: { type: 'string', default: '1000' } },
});
const CLIENTS = Number(values.clients);
const NOTES = Number(values.notes);
const PROJECT = 'github.com/acme/shop';
const SPACE = 'bench';
const SAMPLES = 100;

interface Machine {
  store: Store;
  team: Team;
}

const folder = mkdtempSync(join(tmpdir(), 'reflect-bench-team-'));
const rows: Array<[string, string]> = [];
const report = (name: string, value: string) => {
  rows.push([name, value]);
  console.log(`${name.padEnd(56)} ${value}`);
};
const now = () => Date.now();
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function machine(name: string): Machine {
  const paths = pathsOf(join(folder, name));
  const { db } = openStore(paths.database, paths.backups);
  rememberProject(db, { id: PROJECT, name: 'shop', root: '' }, now());
  const store: Store = { db, documents: paths.documents, now };
  const team = new Team({
    store,
    environment: TEAM_ENVIRONMENT,
    log: silentLog,
    backups: paths.backups,
    models: () => [],
    projects: () => [PROJECT],
    onChange: () => {},
    pollMs: 30_000,
  });
  return { store, team };
}

const learn = ({ store }: Machine, title: string) =>
  addLearning(store, Note.parse({ title, rule: `Because of ${title}`, project: PROJECT }), {
    actor: 'person',
    kind: 'create',
    reason: 'bench',
  }).learning.id;

async function untilInStep(machines: readonly Machine[]): Promise<void> {
  for (const { team } of machines)
    for (let attempt = 0; ; attempt++) {
      try {
        await team.sync();
        break;
      } catch (error) {
        if (attempt > 100) throw error;
        await pause(100);
      }
    }
}

const known = ({ store }: Machine) =>
  JSON.stringify(
    store.db.prepare('SELECT note_id, rev FROM team_note WHERE space = ? ORDER BY note_id').raw().all(SPACE),
  );

/** Everybody publishes at once while the server is killed twice; then all must know the same revisions. */
async function converge(server: TestServer, machines: readonly Machine[]): Promise<void> {
  const each = Math.ceil(NOTES / machines.length);
  const start = performance.now();
  const publishing = machines.map(async (one, at) => {
    for (let done = 0; done < each; done += 50) {
      const ids = Array.from({ length: Math.min(50, each - done) }, (_, index) =>
        learn(one, `lesson ${done + index} of machine${at}`),
      );
      await one.team.publish(SPACE, ids);
    }
  });
  for (const _ of [1, 2]) {
    await pause(500);
    await server.kill();
    await server.start();
  }
  await Promise.all(publishing);
  await untilInStep(machines);
  await untilInStep(machines);
  const seconds = (performance.now() - start) / 1_000;
  const states = new Set(machines.map(known));
  const [{ heads } = { heads: 0 }] = (await server.sql(
    'SELECT count(*)::int AS heads FROM reflect.head',
  )) as Array<{ heads: number }>;
  report(
    `${machines.length} machines, ${each * machines.length} notes, server killed twice`,
    `${seconds.toFixed(1)} s`,
  );
  report('notes on the server, of those published', `${heads} of ${each * machines.length}`);
  report(
    'machines that know the same revisions',
    states.size === 1 ? 'all' : `${states.size} different states`,
  );
}

async function latency(from: Machine, to: Machine): Promise<void> {
  const times: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const title = `latency sample number${sample}`;
    const id = learn(from, title);
    const start = performance.now();
    await from.team.publish(SPACE, [id]);
    while (searchByWords(to.store.db, `number${sample}`, null, 5).length === 0) await pause(2);
    times.push(performance.now() - start);
  }
  report(
    'published on one machine to found on another, p50 / p95',
    `${percentile(times, 0.5).toFixed(0)} / ${percentile(times, 0.95).toFixed(0)} ms`,
  );
}

/** A search by words, asked alone and while notes arrive; the two are interleaved as far as that is possible. */
async function recallWhileSyncing(reader: Machine, writer: Machine): Promise<void> {
  const ask = () => {
    const start = performance.now();
    searchByWords(reader.store.db, 'lesson machine1', null, 10);
    return performance.now() - start;
  };
  const measure = async (rounds: number) => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      times.push(ask());
      await pause(2);
    }
    return percentile(times, 0.95);
  };
  const alone = await measure(200);
  const ids = Array.from({ length: 500 }, (_, index) => learn(writer, `burst ${index} of writing`));
  const arriving = writer.team.publish(SPACE, ids);
  const during = await measure(200);
  await arriving;
  report('search by words while notes arrive, p95 ratio', (during / alone).toFixed(2));
}

async function firstSyncAndPoll(server: TestServer): Promise<void> {
  const late = machine('late');
  const start = performance.now();
  await late.team.join(server.url('m0'), SPACE, false);
  const { published = 0, received = 0, proven = 0 } = late.team.status()[0] ?? {};
  const notes = published + received + proven;
  const seconds = (performance.now() - start) / 1_000;
  report(`first sync of ${notes} notes`, `${seconds.toFixed(1)} s, ${Math.round(notes / seconds)}/s`);
  await late.team.stop();
  const client = await server.connect('m0');
  const polls: number[] = [];
  for (let poll = 0; poll < 200; poll++) {
    const began = performance.now();
    await readTail(client, 1, 1_000_000);
    polls.push(performance.now() - began);
  }
  await client.end();
  report(
    'one poll of the server, p50 / p95',
    `${percentile(polls, 0.5).toFixed(2)} / ${percentile(polls, 0.95).toFixed(2)} ms`,
  );
  const [size] = (await server.sql(
    `SELECT (pg_total_relation_size('reflect.revision') + pg_total_relation_size('reflect.head'))::float8 AS bytes, (SELECT count(*)::int FROM reflect.revision) AS revisions`,
  )) as Array<{ bytes: number; revisions: number }>;
  if (size)
    report(
      `size on the server, ${size.revisions} revisions`,
      `${(size.bytes / 1e6).toFixed(1)} MB, ${Math.round(size.bytes / size.revisions)} bytes each`,
    );
}

const missing = postgresMissing();
if (missing) throw new Error(missing);
const server = await startPostgres();
const machines: Machine[] = [];
try {
  const owner = await server.connect('owner');
  const { id } = await createSpace(owner, SPACE);
  for (let at = 0; at < CLIENTS; at++) {
    await addLogin(server, `m${at}`);
    await setMember(owner, id, `m${at}`, 'writer');
  }
  await owner.end();
  for (let at = 0; at < CLIENTS; at++) {
    const one = machine(`m${at}`);
    await one.team.join(server.url(`m${at}`), SPACE, false);
    machines.push(one);
  }
  const [first, second] = machines;
  if (!first || !second) throw new Error('at least two machines are needed');
  await converge(server, machines);
  await latency(first, second);
  await recallWhileSyncing(second, first);
  await firstSyncAndPoll(server);
} finally {
  await Promise.all(machines.map(({ team }) => team.stop()));
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
}
