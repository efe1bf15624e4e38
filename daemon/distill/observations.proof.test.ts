import { describe, expect, test } from 'vitest';
import type { ObservationAction } from '#contract/distill.ts';
import { prove } from '../knowledge/revise.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { listObservations, observationHistory } from '../store/distill/observations.ts';
import { withKnobs } from '../drain/testing.ts';
import { NO_WEIGHTS } from '../inference/testing.ts';
import { silentLog } from '../platform/log.ts';
import { needs } from '../testing/needs.ts';
import { EDITED, given } from '../testing/temp-home.ts';
import { worldFilledBy } from '../testing/world.ts';
import { Distiller } from './distill.ts';
import { noneRevised, reviseObservations } from './observation-actions.ts';
import { gatherObservations, observations } from './observations.ts';
import { SHOP, world } from './testing.ts';

const OTHER = 'github.com/acme/other';
const CREATE: ObservationAction = {
  action: 'CREATE',
  content: 'Prefer small functions',
  project: SHOP,
  category: 'code style',
  ids: ['s1', 's2', 's2'],
  learnings: [],
  reason: 'said twice',
};

function acted(w = world()) {
  const act = (...actions: ObservationAction[]) => reviseObservations(w.store, actions, 'test', w.resolve);
  const all = (project = SHOP) => listObservations(w.db, [project], null);
  return { ...w, act, all };
}

const update = (targetId: string, ids: string[]): ObservationAction => ({
  action: 'UPDATE',
  targetId,
  ids,
  learnings: [],
  reason: 'again',
});

test('O1: CREATE makes an observation with one proof per source, and leaves other projects alone', () => {
  const { act, all } = acted();
  act({ ...CREATE, project: OTHER, content: 'Prefer long functions', ids: [] });
  const control = all(OTHER);
  expect(act(CREATE)).toMatchObject({ created: 1, errors: [] });
  expect(all()).toMatchObject([
    { content: 'Prefer small functions', proofCount: 2, sources: ['s1', 's2'], status: 'active' },
  ]);
  expect(control).toMatchObject([{ proofCount: 1 }]);
  expect(all(OTHER)).toEqual(control);
});

test('O1: UPDATE adds only new evidence to the same observation, after a snapshot of the old version', () => {
  const { act, all, db } = acted();
  const [id = ''] = act(CREATE).createdIds;
  expect(act(update(id, ['s2', 's3']), update(id, ['s1', 's3']))).toMatchObject({ updated: 1, skipped: 1 });
  expect(all()).toMatchObject([{ id, proofCount: 3, sources: ['s1', 's2', 's3'] }]);
  act(update(id, []));
  expect(all()).toMatchObject([{ proofCount: 4 }]);
  expect(observationHistory(db, id).map(({ action, before }) => [action, before?.proofCount])).toEqual([
    ['UPDATE', 3],
    ['UPDATE', 2],
    ['CREATE', undefined],
  ]);
});

test('O1: DELETE retires the observation and deletes nothing; RESTORE brings it back', () => {
  const { act, all, db } = acted();
  const [id = ''] = act(CREATE).createdIds;
  expect(act({ action: 'DELETE', targetId: id, reason: 'we changed our minds' })).toMatchObject({
    deleted: 1,
  });
  expect(all()).toMatchObject([
    { status: 'retired', retiredReason: 'we changed our minds', proofCount: 2, sources: ['s1', 's2'] },
  ]);
  expect(act({ action: 'DELETE', targetId: id, reason: '' })).toMatchObject({ skipped: 1 });
  expect(act({ action: 'RESTORE', targetId: id, reason: '' })).toMatchObject({ restored: 1 });
  expect(all()).toMatchObject([{ status: 'active', retiredReason: '' }]);
  expect(observationHistory(db, id)).toHaveLength(3);
});

test('O1: a refused action is reported with its position, and the others still apply', () => {
  const { act, all } = acted();
  const { errors, created } = act(
    update('obs-none', []),
    CREATE,
    { ...CREATE, content: 'x', field: 'testing_style' },
    { ...CREATE, content: 'y', learnings: ['lrn-none'] },
  );
  expect([created, errors.map(({ index }) => index)]).toEqual([1, [0, 2, 3]]);
  expect(errors.map(({ message }) => message).join()).toMatch(/obs-none.*a value.*lrn-none/s);
  expect(all()).toHaveLength(1);
  const [{ id } = { id: '' }] = all();
  act({ action: 'DELETE', targetId: id, reason: 'gone' });
  expect(act(update(id, ['s9'])).errors).toMatchObject([
    { message: expect.stringContaining('was retired: gone') as string },
  ]);
});

const said = (session: string) => ({ type: 'correction', provenance: { session } });

test('O1: a correction in several sessions, in nearly the same words, becomes one observation with its evidence', async () => {
  const w = acted();
  w.learn({ title: 'Use pnpm for installing packages', ...said('a') });
  w.learn({ title: 'Use pnpm when installing packages', ...said('b') });
  w.learn({ title: 'Rotate the signing keys', ...said('a') });
  w.learn({ title: 'Use pnpm for installing packages here', ...said('c'), project: OTHER });
  expect(await w.distiller.run()).toMatchObject({ observations: { created: 1 } });
  expect(w.all()).toMatchObject([
    { content: 'Use pnpm for installing packages', proofCount: 2, field: 'package_manager', value: 'pnpm' },
  ]);
  expect(w.all(OTHER)).toEqual([]);
  expect(await w.distiller.run()).toMatchObject({ observations: { created: 0, updated: 0 } });
});

test('O1: with the port off nothing is collected', async () => {
  const w = acted(world({ [observations.switch.name]: false }));
  for (const session of ['a', 'b'])
    w.learn({ title: `Use pnpm for installing packages ${session}`, ...said(session) });
  await w.distiller.run();
  expect(w.all()).toEqual([]);
});

test('O1: the number of sessions it takes is a knob', async () => {
  const once = acted(world({ REFLECT_OBSERVATION_SESSIONS: 1 }));
  once.learn({ title: 'Use pnpm for installing packages', ...said('a') });
  await once.distiller.run();
  expect(once.all()).toHaveLength(1);
});

test('O1: a proof of a learning proves its observation; retiring the learning retires it, restoring restores it', async () => {
  const w = acted();
  const [first, second] = [
    w.learn({ title: 'Use pnpm for installing packages', ...said('a') }),
    w.learn({ title: 'Use pnpm when installing packages', ...said('b') }),
  ];
  await w.distiller.run();
  prove(w.store, first, { actor: 'drain', reason: 'said again', source: 'moment-7' });
  await w.distiller.run();
  expect(w.all()).toMatchObject([{ proofCount: 3, status: 'active' }]);

  for (const { id } of [first, second]) changeLearning(w.store, id, { status: 'reverted' }, EDITED);
  expect(await w.distiller.run()).toMatchObject({ observations: { deleted: 1 } });
  expect(w.all()).toMatchObject([{ status: 'retired' }]);
  changeLearning(w.store, first.id, { status: 'active' }, EDITED);
  expect(await w.distiller.run()).toMatchObject({ observations: { restored: 1 } });
  expect(w.all()).toMatchObject([{ status: 'active', proofCount: 3 }]);
});

test('O1: an observation a person retired does not come back by itself', async () => {
  const w = acted();
  for (const session of ['a', 'b'])
    w.learn({ title: `Use pnpm for installing packages ${session}`, ...said(session) });
  await w.distiller.run();
  w.act({ action: 'DELETE', targetId: w.all()[0]?.id ?? '', reason: 'wrong' });
  w.learn({ title: 'Use pnpm for installing packages c', ...said('c') });
  await w.distiller.run();
  expect(w.all()).toMatchObject([{ status: 'retired', retiredReason: 'wrong' }]);
});

test('O1: a run that is stopped half-way is continued where it was, not begun again', () => {
  const w = acted();
  for (const title of ['Rotate the signing keys', 'Name branches after their issue', 'Sort imports by path'])
    w.learn({ title, ...said('a') });
  const steps = () => gatherObservations(w.store, { available: () => null }, w.resolve);
  const stopped = steps();
  stopped.next();
  stopped.return(noneRevised()); // as a stopped daemon does
  expect([...steps()]).toHaveLength(2);
  expect([...steps()]).toHaveLength(0);
});

test('O1: a contradiction is not evidence', async () => {
  const w = acted();
  w.learn({ title: 'Use tabs in this repository', ...said('a') });
  w.learn({ title: 'Never use tabs in this repository', ...said('b') });
  await w.distiller.run();
  expect(w.all()).toEqual([]);
});

describe('with the real embedder', () => {
  needs(NO_WEIGHTS);

  test('O1: what two sessions say in different words is one observation', async () => {
    const said = [
      'Always run the database migrations inside one transaction',
      'Database migrations must run inside a transaction',
      'Pin the base image by digest',
    ];
    const pass = async (meaning: number) => {
      const { store, inference } = await worldFilledBy((filled) =>
        said.map(
          (title, index) =>
            given(filled, {
              title,
              project: SHOP,
              type: 'correction',
              provenance: { session: `s${index}` },
            }).learning,
        ),
      );
      await new Distiller({
        store,
        inference,
        home: '',
        conventions: '',
        log: silentLog,
        resolve: withKnobs({
          [observations.knobs.meaning.name]: meaning,
          [observations.knobs.similarity.name]: 1,
          REFLECT_CONVENTIONS: false,
        }),
      }).run();
      return listObservations(store.db, [SHOP], null);
    };
    expect(await pass(1)).toEqual([]);
    expect(await pass(observations.knobs.meaning.default)).toMatchObject([
      { content: expect.stringContaining('migrations') as string, proofCount: 2 },
    ]);
  });
});
