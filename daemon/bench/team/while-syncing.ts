import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { MANIFEST, WEIGHTS } from '../../../models/manifest.ts';
import type { Inference } from '../../inference/inference.ts';
import { openStore } from '../../store/open.ts';
import { packVectors } from '../../team/vectors.ts';
import type { TravellingVector } from '../../team/server/log.ts';
import type { TestServer } from '../../testing/postgres.ts';
import { makeNotes, makeQuestions } from '../corpus.ts';
import { sleep } from '../daemon-process.ts';
import type { Homes } from '../home.ts';
import { vectorTables } from '../recall-parts.ts';
import { median, percentile, timed } from '../statistics.ts';
import { lastOf, makeSpace, Member, until } from './members.ts';
import { type Line, milliseconds } from './table.ts';

const JOINED = 'joined';
const OTHER = 'other';
const PER_SECOND = 1_000; // revisions that arrive
const EMBEDDED_PER_SECOND = 40; // a daemon embeds about as many itself
const TICK = 50; // ms
const PHASE = 2_000; // ms
const WARM_UP = 60; // recalls
const GAP = 25; // ms between two recalls, on average
const BAR = 1.1;

/**
 * Local recall while a thousand revisions arrive in a second, beside recall while as many arrive in a space that this
 * daemon has not joined: both phases load the machine with the same server, so the ratio shows the daemon's own work.
 */
export async function recallWhileSyncing(
  server: TestServer,
  homes: Homes,
  inference: Inference,
  { size, rounds }: { size: number; rounds: number },
): Promise<Line[]> {
  const spaces = {
    [JOINED]: await makeSpace(server, JOINED, ['reader', 'stream']),
    [OTHER]: await makeSpace(server, OTHER, ['stream']),
  };
  const paths = await homes.copy(size, 'while-syncing');
  const vectors = vectorsIn(paths.database, paths.backups, inference);
  const member = new Member(server, 'reader', { paths, withModels: true });
  await member.start();
  await member.join(JOINED);
  const questions = makeQuestions(WARM_UP + (rounds * 3 * PHASE) / GAP, 11)[Symbol.iterator]();
  const recalls = async (goesOn: (asked: number) => boolean): Promise<number[]> => {
    const times: number[] = [];
    while (goesOn(times.length)) {
      const query = questions.next().value ?? '';
      const knobs = { RECALL_CROSS_ENCODER: false };
      times.push(await timed(() => member.call('recall.search', { query, global: true, knobs })));
      await sleep(GAP * (0.5 + Math.random()));
    }
    return times;
  };
  const client = await server.connect('stream');
  const phase = async (space: keyof typeof spaces, given: readonly TravellingVector[][]) => {
    const perSecond = given.length > 0 ? PER_SECOND : EMBEDDED_PER_SECOND;
    const before = member.position(JOINED);
    const start = performance.now();
    const stream = arriving(client, spaces[space], perSecond, given);
    const times = await recalls(() => performance.now() < start + PHASE);
    const applied = (member.position(JOINED) - before) / ((performance.now() - start) / 1_000);
    await stream.end();
    const last = await lastOf(server, spaces[JOINED]);
    await until('the daemon catches up', () => member.position(JOINED) === last);
    await until(
      'its vectors are there',
      async () => (await member.call('status', {})).index.waiting === 0,
      200,
    );
    await sleep(1_500); // what is compared afterwards belongs to neither phase
    return { times, applied };
  };
  try {
    await recalls((asked) => asked < WARM_UP);
    const kinds = { idle: [OTHER, vectors], syncing: [JOINED, vectors], embedding: [JOINED, []] } as const;
    const found = { idle: [], syncing: [], embedding: [] } as Record<keyof typeof kinds, number[][]>;
    const applied: number[] = [];
    for (let round = 0; round < rounds; round++)
      for (const [kind, [space, given]] of Object.entries(kinds)) {
        const result = await phase(space, given);
        found[kind as keyof typeof kinds].push(result.times);
        if (kind === 'syncing') applied.push(result.applied);
      }
    return [
      ...compared(`${PER_SECOND} revisions a second arrive`, found.idle, found.syncing),
      {
        what: '  ingested meanwhile, one between two questions; without questions the first join below is the figure',
        measured: `${median(applied).toFixed(0)} a second beside ${Math.round(found.syncing.flat().length / ((rounds * PHASE) / 1_000))} recalls a second`,
      },
      ...compared(`${EMBEDDED_PER_SECOND} a second arrive without vectors`, found.idle, found.embedding),
    ];
  } finally {
    await client.end();
    await member.stop();
  }
}

function compared(which: string, idle: readonly number[][], during: readonly number[][]): Line[] {
  const p95 = (rounds: readonly number[][]) => percentile(rounds.flat(), 0.95);
  const ratio = p95(during) / p95(idle);
  return [
    {
      what: `recall p95 while ${which} ÷ while none does`,
      measured: `${ratio.toFixed(2)} (${milliseconds(p95(during))} / ${milliseconds(p95(idle))})`,
      bar: `≤ ${BAR}`,
      met: ratio <= BAR,
    },
    {
      what: '  p50 of the same',
      measured: `${(median(during.flat()) / median(idle.flat())).toFixed(2)} (${milliseconds(median(during.flat()))} / ${milliseconds(median(idle.flat()))})`,
    },
  ];
}

/** Vectors as a colleague with the same models sends them. */
function vectorsIn(database: string, backups: string, inference: Inference): TravellingVector[][] {
  const { db } = openStore(database, backups);
  try {
    const models = vectorTables(db, inference).map(({ table }) => ({
      table,
      weights:
        MANIFEST.find(({ id }) => id === table.model)?.files.find(({ name }) => name === WEIGHTS)?.sha256 ??
        '',
    }));
    const ids = db.prepare<[], string>('SELECT id FROM learning ORDER BY seq LIMIT 200').pluck().all();
    return ids.map((id) => packVectors(db, id, models));
  } finally {
    db.close();
  }
}

let made = 0;

/** Publishes notes at a steady pace until `end`. */
function arriving(client: Client, space: number, perSecond: number, vectors: readonly TravellingVector[][]) {
  let isEnding = false;
  const publishing = (async () => {
    for (let due = performance.now(); !isEnding; due += TICK) {
      await insertNotes(client, space, (perSecond * TICK) / 1_000, vectors);
      await sleep(Math.max(0, due + TICK - performance.now()));
    }
  })();
  return {
    end: async () => {
      isEnding = true;
      await publishing;
    },
  };
}

/** Publishes made notes in one statement, as a client with SQL would. */
export async function insertNotes(
  client: Client,
  space: number,
  count: number,
  vectors: readonly TravellingVector[][],
): Promise<void> {
  const rows = makeNotes(count, made + 1_000_000).map((note, index) => {
    const number = made + index;
    return {
      id: randomUUID(),
      project: note.project || 'github.com/acme/shop',
      note: { ...note, title: `${note.title}, case ${number}`, branch: null, scope: 'project' },
      vectors: vectors[number % Math.max(1, vectors.length)] ?? null,
    };
  });
  made += count;
  await client.query(
    `INSERT INTO reflect.revision (space, rev, note_id, kind, project, note, hash, vectors)
     SELECT $1, (row ->> 'id')::uuid, (row ->> 'id')::uuid, 'create', row ->> 'project', row -> 'note', '', nullif(row -> 'vectors', 'null')
     FROM jsonb_array_elements($2::jsonb) AS row`,
    [space, JSON.stringify(rows)],
  );
}
