import { describe, expect, test } from 'vitest';
import { DAY } from '../platform/time.ts';
import { NO_WEIGHTS } from '../inference/testing.ts';
import { undo } from '../knowledge/revise.ts';
import { learningsOfType } from '../store/learnings/find.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { countUnexamined } from '../store/learnings/unexamined.ts';
import { needs } from '../testing/needs.ts';
import { EDITED, given } from '../testing/temp-home.ts';
import { worldFilledBy } from '../testing/world.ts';
import { consolidation } from './consolidation.ts';
import { Distiller } from './distill.ts';
import { decidePrinciple, sourcesOf } from './principle.ts';
import { SHOP, world } from './testing.ts';
import { silentLog } from '../platform/log.ts';
import { withKnobs } from '../drain/testing.ts';

const WEEK = 7 * DAY;
const PROTO = [
  'Regenerate the clients after a proto edit',
  'Regenerate clients after every proto edit',
  'After a proto edit regenerate all clients',
];

type World = ReturnType<typeof world>;
const principles = ({ db }: World) => learningsOfType(db, { type: 'principle' });
const many = ({ learn }: World, count: number, from = 0) =>
  Array.from({ length: count }, (_, index) =>
    learn({ title: `Subject${from + index} does task${from + index}` }),
  );

describe('C2: when learnings are consolidated', () => {
  test('C2: below the threshold nothing happens, at it a pass runs and resets the count', async () => {
    const w = world();
    many(w, 29);
    expect(await w.distiller.run()).toMatchObject({ consolidation: null });
    expect(w.distiller.status()).toMatchObject({ since: 29, threshold: 30, last: null });
    many(w, 1, 29);
    expect(await w.distiller.run()).toMatchObject({ consolidation: { why: 'threshold', learnings: 30 } });
    expect(w.distiller.status()).toMatchObject({ since: 0, dueAt: null });
    expect(await w.distiller.run()).toMatchObject({ consolidation: null });
    many(w, 30, 30);
    expect(await w.distiller.run()).toMatchObject({ consolidation: { why: 'threshold', learnings: 30 } });
  });

  test('C2: the knob moves the threshold, and switched off nothing is ever due', async () => {
    const w = world({ REFLECT_SYNTHESIS_AUTO_THRESHOLD: 2 });
    many(w, 2);
    expect(await w.distiller.run()).toMatchObject({ consolidation: { why: 'threshold', learnings: 2 } });
    const off = world({ REFLECT_SYNTHESIS_AUTO_THRESHOLD: 2, [consolidation.switch.name]: false });
    many(off, 2);
    expect(await off.distiller.run()).toMatchObject({ consolidation: null });
    expect(off.distiller.status().dueAt).toBeNull();
  });

  test('C2: a single new learning waits a week at most; without one, no pass is due', async () => {
    const w = world();
    many(w, 1);
    w.store.tick(WEEK - 1);
    expect(await w.distiller.run()).toMatchObject({ consolidation: null });
    w.store.tick(1);
    expect(await w.distiller.run()).toMatchObject({ consolidation: { why: 'weekly', learnings: 1 } });
    w.store.tick(10 * WEEK);
    expect(await w.distiller.run()).toMatchObject({ consolidation: null });
  });

  test('C2: a pass waits while older transcripts are read, unless a person asks for it', async () => {
    let busy = true;
    const w = world({}, { isBusy: () => busy });
    many(w, 30);
    expect(await w.distiller.run()).toMatchObject({ consolidation: null });
    busy = false;
    expect(await w.distiller.run()).toMatchObject({ consolidation: { why: 'threshold' } });
    busy = true;
    expect(await w.distiller.run({ now: true })).toMatchObject({ consolidation: { why: 'asked' } });
  });

  test('C2: a finished pass is announced', async () => {
    const w = world();
    for (const title of PROTO) w.learn({ title });
    await w.distiller.run({ now: true });
    expect(w.events).toEqual([
      {
        event: 'consolidation.completed',
        payload: expect.objectContaining({ why: 'asked', learnings: 3, clusters: 1, proposed: 1 }) as object,
      },
    ]);
  });
});

describe('C2: principles from learnings that belong together', () => {
  test('C2: three similar learnings become one proposed principle that names them; a fourth joins it; others do not', async () => {
    const w = world();
    const sources = PROTO.map(
      (title) => w.learn({ title, rule: `${title}.`, tags: ['grpc'], confidence: 0.8 }).id,
    );
    many(w, 3);
    await w.distiller.run({ now: true });
    const [principle] = principles(w);
    expect(principle).toMatchObject({
      status: 'proposed',
      title: PROTO[0],
      tags: ['grpc'],
      project: SHOP,
      metadata: { sources },
    });
    for (const id of sources) expect(principle?.body).toContain(id);
    expect(principles(w)).toHaveLength(1);

    const fourth = w.learn({ title: 'Regenerate clients after the proto edit at once', tags: ['grpc'] });
    expect(await w.distiller.run({ now: true })).toMatchObject({
      consolidation: { proposed: 0, extended: 1 },
    });
    expect(sourcesOf(principles(w)[0] ?? { metadata: {} })).toEqual([...sources, fourth.id]);
  });

  test('C2: a second pass over the same learnings changes no byte', async () => {
    const w = world();
    for (const title of PROTO) w.learn({ title });
    await w.distiller.run({ now: true });
    const before = JSON.stringify(principles(w));
    expect(await w.distiller.run({ now: true })).toMatchObject({
      consolidation: { proposed: 0, extended: 0 },
    });
    expect(JSON.stringify(principles(w))).toBe(before);
  });

  test('C2: a rejected principle is not proposed again; an accepted one keeps its wording and gains proof', async () => {
    const w = world();
    for (const title of PROTO) w.learn({ title });
    await w.distiller.run({ now: true });
    const id = principles(w)[0]?.id ?? '';
    const { changeId } = changeLearning(w.store, id, { status: 'rejected' }, EDITED);
    w.learn({ title: 'Regenerate clients after the proto edit at once' });
    expect(await w.distiller.run({ now: true })).toMatchObject({
      consolidation: { proposed: 0, extended: 0 },
    });
    undo(w.store, changeId, 'person');
    changeLearning(w.store, id, { status: 'active', title: 'Protos first', body: 'In my words.' }, EDITED);
    expect(await w.distiller.run({ now: true })).toMatchObject({ consolidation: { extended: 1 } });
    expect(getLearning(w.db, id)).toMatchObject({
      title: 'Protos first',
      body: 'In my words.',
      signals: { proofCount: 2 },
    });
  });

  test('C2: an accepted principle is not treated as a twin of its sources', async () => {
    const w = world();
    w.listen();
    for (const title of PROTO) w.learn({ title });
    await w.distiller.run({ now: true });
    const before = countUnexamined(w.db);
    const { learning } = decidePrinciple(w.store, principles(w)[0]?.id ?? '', true, {
      title: 'Protos first',
    });
    expect(learning).toMatchObject({ status: 'active', title: 'Protos first' });
    expect(countUnexamined(w.db)).toBe(before);
    expect(() => decidePrinciple(w.store, learning.id, false, {})).toThrow(/not a principle that waits/);
    await w.distiller.stop();
  });

  test('C2: other projects, contradictions and retired learnings are never consolidated', async () => {
    const w = world();
    const [first = ''] = PROTO;
    w.learn({ title: first });
    w.learn({ title: PROTO[1] ?? '', project: 'github.com/acme/other' });
    w.learn({ title: 'Never regenerate the clients after a proto edit' });
    const gone = w.learn({ title: PROTO[2] ?? '' });
    changeLearning(w.store, gone.id, { status: 'archived' }, EDITED);
    expect(await w.distiller.run({ now: true })).toMatchObject({
      consolidation: { clusters: 0, proposed: 0 },
    });
  });

  test('C2: the size of a group and the similarity of its members are knobs', async () => {
    const pair = world({ REFLECT_SYNTHESIS_SIZE: 2 });
    for (const title of PROTO.slice(0, 2)) pair.learn({ title });
    expect(await pair.distiller.run({ now: true })).toMatchObject({ consolidation: { proposed: 1 } });
    const strict = world({ REFLECT_SYNTHESIS_SIZE: 2, REFLECT_SYNTHESIS_SIMILARITY: 1 });
    strict.learn({ title: PROTO[0] ?? '' });
    strict.learn({ title: 'Regenerate the clients after a schema edit' });
    expect(await strict.distiller.run({ now: true })).toMatchObject({ consolidation: { proposed: 0 } });
  });

  test('C2: a writer words it if the person opted in; if it fails, the draft is kept', async () => {
    const worded = world(
      { REFLECT_SYNTHESIS_WRITER: true },
      { word: (members) => Promise.resolve({ title: `One rule of ${members.length}` }) },
    );
    const silent = world({ REFLECT_SYNTHESIS_WRITER: true }, { word: () => Promise.resolve(null) });
    const unasked = world({}, { word: () => Promise.resolve({ title: 'Nobody asked' }) });
    for (const w of [worded, silent, unasked]) {
      for (const title of PROTO) w.learn({ title });
      await w.distiller.run({ now: true });
    }
    expect([worded, silent, unasked].map((w) => principles(w)[0]?.title)).toEqual([
      'One rule of 3',
      PROTO[0],
      PROTO[0],
    ]);
  });

  test('C2: an interrupted pass does not count and runs again', async () => {
    const reached = Promise.withResolvers<null>();
    const wording = Promise.withResolvers<null>();
    const w = world(
      { REFLECT_SYNTHESIS_AUTO_THRESHOLD: 3, REFLECT_SYNTHESIS_WRITER: true },
      {
        word: () => {
          reached.resolve(null);
          return wording.promise;
        },
      },
    );
    for (const title of PROTO) w.learn({ title });
    const ended = expect(w.distiller.run()).rejects.toThrow('Reflect was stopped');
    await reached.promise;
    const stopped = w.distiller.stop();
    wording.resolve(null);
    await Promise.all([ended, stopped]);
    expect(w.distiller.status()).toMatchObject({ since: 3, last: null });
  });
});

describe('with the real embedder', () => {
  needs(NO_WEIGHTS);

  test('C2: learnings in different words belong together by meaning, but not by words', async () => {
    const titles = [
      'Always run database migrations inside a transaction',
      'Wrap schema migrations in one transaction',
      'Migrations of the database must be transactional',
    ];
    const { store, inference } = await worldFilledBy((filled) =>
      titles.map((title) => given(filled, { title, project: SHOP }).learning),
    );
    const pass = (meaning: number) =>
      new Distiller({
        store,
        inference,
        home: '',
        conventions: '',
        log: silentLog,
        resolve: withKnobs({ REFLECT_SYNTHESIS_MEANING: meaning, REFLECT_CONVENTIONS: false }),
      }).run({ now: true });
    expect(await pass(1)).toMatchObject({ consolidation: { clusters: 0 } });
    store.db.exec('DELETE FROM consolidation');
    expect(await pass(0.7)).toMatchObject({ consolidation: { clusters: 1, proposed: 1 } });
  });
});
