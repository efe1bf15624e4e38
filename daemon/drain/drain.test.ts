import { expect, test } from 'vitest';
import { redact } from '../privacy/redact.ts';
import { listLearnings } from '../store/learnings/list.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { chunksOfLearning } from '../store/learnings/lineage.ts';
import { START } from '../testing/temp-home.ts';
import { drainWorld } from './testing.ts';
import type { Writer } from './writer.ts';
import { heuristic } from './writers/heuristic.ts';

/** Fails this often, then writes. */
function failing(times: number): Writer {
  let failures = 0;
  return {
    name: 'failing',
    write: (...args) =>
      failures++ < times ? Promise.reject(new Error(`no answer ${failures}`)) : heuristic.write(...args),
  };
}

test('a moment whose writer fails is tried again later, twice as late each time, and its reason can be read meanwhile', async () => {
  const { store, drain, say, moments } = drainWorld({ writer: failing(2) });
  say("don't mock the database");
  const stateAfter = async (ms: number) => {
    store.tick(ms);
    await drain.run();
    return moments().map(({ state, error }) => `${state}: ${error}`);
  };
  expect(await stateAfter(0)).toEqual(['queued: no answer 1']);
  expect(await stateAfter(59_999)).toEqual(['queued: no answer 1']);
  expect(await stateAfter(1)).toEqual(['queued: no answer 2']);
  expect(await stateAfter(119_999)).toEqual(['queued: no answer 2']);
  expect(await stateAfter(1)).toEqual(['kept: ']);
});

test('after three failures it is given up, and the others are not held up by it', async () => {
  const { store, drain, say, moments } = drainWorld({ writer: failing(3) });
  say("don't mock the database");
  for (let attempt = 0; attempt < 4; attempt++) {
    await drain.run();
    store.tick(3_600_000);
  }
  say('never commit generated files');
  await drain.run();
  expect(moments()).toMatchObject([{ state: 'failed', error: 'no answer 3' }, { state: 'kept' }]);
});

test('a note belongs where its record was made, whatever its writer says', async () => {
  const writer: Writer = {
    name: 'lying',
    write: async (...args) => ({
      ...(await heuristic.write(...args)),
      title: 'Never',
      project: 'elsewhere',
      branch: 'x',
      provenance: { agent: 'me' },
      unverifiedRefs: ['1a2b3c4'],
    }),
  };
  const { store, drain, say, moments } = drainWorld({ writer });
  say("don't mock the database", { branch: 'feature/tax', span: { start: 7, end: 9 } });
  await drain.run();
  expect(getLearning(store.db, moments()[0]?.learningId ?? '')).toMatchObject({
    project: 'acme/shop',
    branch: null,
    unverifiedRefs: [],
    provenance: {
      agent: 'claude-code',
      transcript: 't.jsonl',
      spanStart: 7,
      spanEnd: 9,
      quote: "don't mock the database",
    },
  });
});

test('what was private throughout leaves no note', async () => {
  const { drain, say, moments } = drainWorld();
  say(redact('<private>never use npm, the vault is at melon</private>').text);
  await drain.run();
  expect(moments()).toMatchObject([
    { state: 'dismissed', learningId: null, error: 'nothing is left of it that may be kept' },
  ]);
});

test('a writer that finds nothing to keep dismisses the moment', async () => {
  const { store, drain, say, moments } = drainWorld({ writer: { name: 'strict', write: async () => null } });
  say("don't mock the database");
  await drain.run();
  expect(moments()).toMatchObject([{ state: 'dismissed', learningId: null }]);
  expect(listLearnings(store.db, { offset: 0, limit: 10 }).total).toBe(0);
});

test('a write that fails half-way leaves neither a learning nor its lineage, and is made whole at the next attempt', async () => {
  const { store, drain, say, moments } = drainWorld();
  say("don't mock the database");
  store.db.exec(
    `CREATE TRIGGER broken BEFORE INSERT ON chunk_learning BEGIN SELECT RAISE(ABORT, 'no room'); END`,
  );
  await drain.run();
  expect([
    moments()[0]?.state,
    moments()[0]?.error,
    listLearnings(store.db, { offset: 0, limit: 10 }).total,
  ]).toEqual(['queued', 'no room', 0]);
  store.db.exec('DROP TRIGGER broken');
  store.tick(60_000);
  await drain.run();
  const [moment] = moments();
  expect(moment?.state).toBe('kept');
  expect(getLearning(store.db, moment?.learningId ?? '').signals.proofCount).toBe(1);
  expect(chunksOfLearning(store.db, moment?.learningId ?? '')).toHaveLength(1);
});

test('what an old session taught is dated by when it was said, never by tomorrow', async () => {
  const world = drainWorld();
  const long = Date.UTC(2026, 0, 5);
  world.say("don't mock the clock in these tests", { at: long });
  world.say("don't commit generated clients by hand", { at: world.store.now() + 1_000_000 });
  await world.drain.run();
  const dates = world
    .moments()
    .map(({ learningId }) => getLearning(world.store.db, learningId ?? '').createdAt);
  expect(dates.toSorted()).toEqual([long, world.store.now()].toSorted());
});

test('sessions from before the first start only make candidates, unless a person wants them', async () => {
  const statuses = async (knobs = {}) => {
    const { store, drain, say } = drainWorld({ knobs, since: START });
    say("don't mock the database in these tests", { at: START - 1 });
    say('never commit generated files', { at: START });
    await drain.run();
    return Object.fromEntries(
      listLearnings(store.db, { offset: 0, limit: 9 }).items.map(({ title, status }) => [title, status]),
    );
  };
  expect(await statuses()).toMatchObject({
    "Don't mock the database in these tests": 'candidate',
    'Never commit generated files': 'active',
  });
  expect(await statuses({ REFLECT_BACKFILL_LEARNINGS: true })).toMatchObject({
    "Don't mock the database in these tests": 'active',
  });
});

test('what is said outside of a project waits for a person, unless it is said for all of them', async () => {
  const { store, drain, say, moments } = drainWorld();
  const project = { project: null };
  say('Never commit generated files to the repository', project);
  say('In all my projects, never commit generated files to the repository', project);
  await drain.run();
  const [silent, global] = moments().map(({ learningId }) => getLearning(store.db, learningId ?? ''));
  expect(silent).toMatchObject({
    status: 'candidate',
    metadata: { judged: { against: ['was said outside of a project, so agents everywhere would get it'] } },
  });
  expect(global).toMatchObject({ status: 'active', scope: 'global', project: '' });
});

test('a session with many learnings has to be surer of the next one; other sessions do not', async () => {
  const folders = ['api', 'billing', 'cache', 'docs', 'events', 'fixtures', 'gateway', 'hooks', 'ingest'];
  const rule = (folder: string) => `Never edit files in \`${folder}/generated\` by hand`;
  const sureness = async () => {
    const { store, drain, say } = drainWorld();
    say(rule('api'));
    await drain.run();
    return listLearnings(store.db, { offset: 0, limit: 1 }).items[0]?.confidence ?? 0;
  };
  const bar = (await sureness()) - 0.015;
  const { store, drain, say, moments } = drainWorld({ knobs: { REFLECT_LEARNING_BAR: bar } });
  for (const folder of folders) say(rule(folder), { transcript: 'long' });
  say(rule('jobs'), { transcript: 'other' });
  await drain.run();
  const notes = moments()
    .toSorted((one, other) => one.id - other.id)
    .map(({ learningId }) => getLearning(store.db, learningId ?? ''));
  expect(notes.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 5 }, () => 'active'),
    ...Array.from({ length: 4 }, () => 'candidate'),
    'active',
  ]);
  expect(notes[7]?.metadata['judged']).toMatchObject({
    against: ['comes from a session with many learnings'],
  });
});

test('a candidate says why it waits, and the judge how sure it is', async () => {
  const { drain, say, moments, store } = drainWorld({ knobs: { REFLECT_LEARNING_BAR: 0.99 } });
  say('can you show me that again?', { score: 0.2 });
  await drain.run();
  const [moment] = moments();
  expect(moment?.state).toBe('candidate');
  const { metadata, confidence } = getLearning(store.db, moment?.learningId ?? '');
  expect(metadata['judged']).toMatchObject({
    probability: confidence,
    against: expect.arrayContaining(['speaks of the speaker', 'asks for one piece of work']) as string[],
  });
});

test('a lesson matters more with every further session that says it, not with every time', async () => {
  const { store, drain, say, moments } = drainWorld();
  const saidIn = async (transcript: string) => {
    say("don't mock the database", { transcript });
    await drain.run();
    return getLearning(store.db, moments()[0]?.learningId ?? '').signals.importance;
  };
  expect(await saidIn('monday')).toBe(50);
  expect(await saidIn('monday')).toBe(50);
  expect(await saidIn('tuesday')).toBe(60);
});
