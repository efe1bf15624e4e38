import { describe, expect, test } from 'vitest';
import type { Note, NoteInput } from '#contract/entities.ts';
import { RevisionAction } from '#contract/revision.ts';
import { drainWorld, withKnobs } from '../drain/testing.ts';
import type { Inference } from '../inference/inference.ts';
import { NO_WEIGHTS } from '../inference/testing.ts';
import { silentLog } from '../platform/log.ts';
import type { KnobValue } from '../ports/knob.ts';
import { VectorIndex } from './vector-index.ts';
import { changeLearning, type Store } from '../store/learnings/write.ts';
import { listLearnings } from '../store/learnings/list.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { getQuestion, openQuestions } from '../store/learnings/questions.ts';
import { searchByWords } from '../store/search/words.ts';
import { unexamineAll } from './testing.ts';
import { needs } from '../testing/needs.ts';
import { given, tempStore } from '../testing/temp-home.ts';
import { tinyCrossEncoder } from '../testing/tiny-cross-encoder.ts';
import { world } from '../testing/world.ts';
import { answerMerge } from './merges.ts';
import { revise } from './revision-actions.ts';
import { undo } from './revise.ts';
import { preview, twins } from './twins.ts';
import { Upkeep } from './upkeep.ts';

needs(NO_WEIGHTS);

const KNOWN = { title: 'Tests must never mock the database, use the real one', scope: 'global' as const };
const TWIN = { title: 'In tests, never mock the database; use the real one', scope: 'global' as const };
const OTHER = { title: 'Release tags are made by hand on Fridays', scope: 'global' as const };

type Knobs = Record<string, KnobValue>;

function create(
  store: Store,
  inference: Inference,
  note: object,
  { knobs = {}, ...action }: { knobs?: Knobs; dedupAdjudicated?: boolean } = {},
) {
  const resolve = withKnobs(knobs);
  const parts = { store, resolve, preview: (one: Note) => preview(store, inference, one, resolve, () => {}) };
  return revise(
    parts,
    [RevisionAction.parse({ action: 'CREATE', note, reason: 'noticed', ...action })],
    'agent',
  );
}

async function known(knobs: Knobs = {}, note: object = TWIN) {
  const all = await world([KNOWN]);
  return { ...all, result: await create(all.store, all.inference, note, { knobs }) };
}

const statuses = ({ db }: Store) =>
  listLearnings(db, { offset: 0, limit: 20 })
    .items.map(({ title, status }) => [title, status])
    .toSorted();

describe('C1 semantic-dedup adjudication', () => {
  test('C1: a note that says nearly the same is held back as a question, and not recalled until it is answered', async () => {
    const { store, result, titles } = await known();
    expect(result).toMatchObject({
      created: 0,
      createdIds: [],
      needsAdjudication: 1,
      adjudications: [
        { newText: TWIN.title, existingTitle: KNOWN.title, threshold: twins.knobs.threshold.default },
      ],
    });
    expect(result.adjudications[0]?.similarity).toBeGreaterThanOrEqual(twins.knobs.threshold.default);
    expect(statuses(store)).toEqual([
      [TWIN.title, 'proposed'],
      [KNOWN.title, 'active'],
    ]);
    expect(await titles({ query: 'mock the database in tests' })).toEqual([KNOWN.title]);
    expect(openQuestions(store.db)).toMatchObject([
      { kind: 'twin', existing: { title: KNOWN.title }, incoming: { title: TWIN.title } },
    ]);
  });

  describe('with a cross-encoder', () => {
    const near = { title: 'Use the real database in tests, a mock is never right', scope: 'global' as const };
    /** One that finds the same in both, and one to which a word makes a difference. */
    const alike = () => tinyCrossEncoder({ database: 6 });
    const apart = () => tinyCrossEncoder({ database: 6, must: -4 });

    const questions = async (note: object, crossEncoder = '') => {
      const { store, inference } = await world([KNOWN], { crossEncoder });
      await create(store, inference, note);
      return openQuestions(store.db).length;
    };
    const sweptQuestions = async (note: NoteInput, crossEncoder = '') => {
      const { store, inference } = await world([KNOWN, note], { crossEncoder });
      await sweep(store, inference);
      return openQuestions(store.db).length;
    };

    test('C1: a pair that embeddings leave open stays open, whatever it says: it may object, not propose', async () => {
      expect([await questions(near), await questions(near, alike())]).toEqual([0, 0]);
      expect([await questions(TWIN, alike()), await sweptQuestions(TWIN, alike())]).toEqual([1, 1]);
    });

    test('C1: a pair that embeddings take for twins is none if it sees the difference', async () => {
      expect([await questions(TWIN), await questions(TWIN, apart())]).toEqual([1, 0]);
      expect([await sweptQuestions(TWIN), await sweptQuestions(TWIN, apart())]).toEqual([1, 0]);
    });
  });

  test('C1: a different note is added', async () => {
    const { result } = await known({}, OTHER);
    expect(result).toMatchObject({ created: 1, needsAdjudication: 0 });
  });

  test.each([{ [twins.knobs.threshold.name]: 1 }, { [twins.switch.name]: false }])(
    'C1: with %j the near duplicate is added too (counterfactual)',
    async (knobs) => {
      const { store, result } = await known(knobs);
      expect(result).toMatchObject({ created: 1, needsAdjudication: 0 });
      expect(statuses(store).map(([, status]) => status)).toEqual(['active', 'active']);
    },
  );

  test('C1: a note somebody decided to keep is never compared, and one held before becomes live', async () => {
    const { store, inference } = await world([KNOWN]);
    expect(await create(store, inference, TWIN, { dedupAdjudicated: true })).toMatchObject({
      created: 1,
      needsAdjudication: 0,
    });
    await sweep(store, inference);
    expect(openQuestions(store.db)).toEqual([]);

    const held = await known();
    expect(await create(held.store, held.inference, TWIN, { dedupAdjudicated: true })).toMatchObject({
      created: 1,
    });
    expect([statuses(held.store).map(([, status]) => status), openQuestions(held.store.db)]).toEqual([
      ['active', 'active'],
      [],
    ]);
  });

  test('C1: every live note in scope is compared, however old and whatever its title; other projects are not', async () => {
    const buried = { ...KNOWN, title: 'About tests', rule: KNOWN.title, body: '', daysAgo: 900 };
    const many = Array.from({ length: 230 }, (_, number) => ({
      title: `Service ${number} listens on port ${4_000 + number}`,
      scope: 'global' as const,
    }));
    const { store, inference } = await world([buried, ...many]);
    expect(
      await create(store, inference, { ...TWIN, title: 'About the tests', rule: TWIN.title }),
    ).toMatchObject({ needsAdjudication: 1, adjudications: [{ existingTitle: 'About tests' }] });
    const elsewhere = await world([{ ...KNOWN, scope: 'project', project: 'one' }]);
    expect(
      await create(elsewhere.store, elsewhere.inference, { ...TWIN, scope: 'project', project: 'two' }),
    ).toMatchObject({ created: 1 });
  }, 60_000);

  test('C1: without a model, or when it fails, the note is added; once there is one, a person is asked about it', async () => {
    const store = tempStore();
    given(store, KNOWN);
    const problems: unknown[] = [];
    const broken = {
      available: () => ({ id: 'm', dims: 3, similarity: { unrelated: 0, same: 1 } }),
      embedDocument: () => Promise.reject(new Error('out of memory')),
    } as unknown as Inference;
    const resolve = withKnobs();
    const parts = {
      store,
      resolve,
      preview: (note: Note) => preview(store, broken, note, resolve, (error) => problems.push(error)),
    };
    expect(
      await revise(
        parts,
        [RevisionAction.parse({ action: 'CREATE', note: TWIN, reason: 'noticed' })],
        'agent',
      ),
    ).toMatchObject({ created: 1, errors: [] });
    expect(problems).toEqual([new Error('out of memory')]);

    const { inference } = await world([]);
    await new VectorIndex(store.db, inference, 'embedder', silentLog).fill();
    expect(await sweep(store, inference)).toMatchObject({ asked: 1 });
    expect(openQuestions(store.db)).toMatchObject([
      {
        existing: { title: KNOWN.title, status: 'active' },
        incoming: { title: TWIN.title, status: 'active' },
      },
    ]);
  });

  test('C1: a note from a session is held too; dismissed, it proves nothing, and said again it is not asked about again', async () => {
    const store = tempStore();
    given(store, { title: "Don't mock the database in these tests", project: 'acme/shop' });
    const { inference } = await world([]);
    await new VectorIndex(store.db, inference, 'embedder', silentLog).fill();
    const { say, drain, moments } = drainWorld({
      store,
      knobs: { [twins.knobs.threshold.name]: 0.6 },
      preview: (note, resolve) => preview(store, inference, note, resolve, () => {}),
    });
    say('no, in these tests of ours the database is never mocked');
    await drain.run();
    say('no, in these tests of ours the database is never mocked', { transcript: 'another.jsonl' });
    await drain.run();
    expect(moments().map(({ state }) => state)).toEqual(['held', 'duplicate']);
    expect(openQuestions(store.db)).toMatchObject([
      {
        kind: 'twin',
        incoming: { status: 'proposed', signals: { proofCount: 2 } },
        existing: { signals: { proofCount: 1 } },
      },
    ]);
  });

  test('C1: a pair is asked about once, whatever the answer', async () => {
    const { store, inference } = await world([KNOWN, TWIN]);
    expect(await sweep(store, inference)).toMatchObject({ asked: 1 });
    answerMerge(store, openQuestions(store.db)[0]?.id ?? 0, 'keep-both', {}, 'person');
    unexamineAll(store);
    expect(await sweep(store, inference)).toMatchObject({ asked: 0 });
  });

  test('C1: an older learning that is reworded into the twin of a newer one is asked about', async () => {
    const { store, inference } = await world([{ ...KNOWN, title: 'Migrations run before the tests' }, TWIN]);
    expect(await sweep(store, inference)).toMatchObject({ asked: 0 });
    const older = idOf(store);
    changeLearning(store, older, KNOWN, { actor: 'person', kind: 'update', reason: 'reworded' });
    await new VectorIndex(store.db, inference, 'embedder', silentLog).fill();
    expect(await sweep(store, inference)).toMatchObject({ asked: 1 });
    expect(openQuestions(store.db)).toMatchObject([{ incoming: { id: older } }]);
  });

  test('C1: a restored learning is compared with what was learned while it was archived', async () => {
    const { store, inference } = await world([KNOWN]);
    const known = idOf(store);
    changeLearning(
      store,
      known,
      { status: 'archived' },
      { actor: 'person', kind: 'archive', reason: 'not needed' },
    );
    given(store, TWIN);
    await new VectorIndex(store.db, inference, 'embedder', silentLog).fill();
    expect(await sweep(store, inference)).toMatchObject({ asked: 0 });
    changeLearning(
      store,
      known,
      { status: 'active' },
      { actor: 'person', kind: 'restore', reason: 'needed' },
    );
    await new VectorIndex(store.db, inference, 'embedder', silentLog).fill();
    expect(await sweep(store, inference)).toMatchObject({ asked: 1 });
  });

  test('C1: the opposite in nearly the same words is not a twin', async () => {
    const { result } = await known(
      {},
      { ...TWIN, title: 'Tests must always mock the database, not use the real one' },
    );
    expect(result.needsAdjudication).toBe(0);
  });

  test.each(['merge', 'keep-both', 'dismiss', 'replace'] as const)(
    'C1: the answer %s is one event: undone, all is as it was and the question open',
    async (answer) => {
      const { store, result } = await known();
      const before = statuses(store);
      const question = result.adjudications[0]?.questionId ?? 0;
      const { changeId } = answerMerge(store, question, answer, {}, 'person');
      expect(statuses(store)).not.toEqual(before);
      undo(store, changeId, 'person');
      expect([
        statuses(store),
        getQuestion(store.db, question).state,
        getLearning(store.db, result.adjudications[0]?.existingId ?? '').signals.proofCount,
      ]).toEqual([before, 'open', 1]);
      expect(searchByWords(store.db, 'mock', null, 5)).toHaveLength(1);
    },
  );
});

const idOf = ({ db }: Store) =>
  db.prepare<[], string>('SELECT id FROM learning ORDER BY seq LIMIT 1').pluck().get() as string;

function sweep(store: Store, inference: Inference) {
  return new Upkeep({ store, inference, resolve: withKnobs(), log: silentLog }).sweep();
}
