import { describe, expect, test } from 'vitest';
import type { Learning, Signals } from '#contract/entities.ts';
import type { Call } from '#contract/methods.ts';
import type { Experience, TaskOutcome } from '#contract/outcomes.ts';
import { learn } from '../../knowledge/revise.ts';
import { undo } from '../../knowledge/revise.ts';
import { historyOf } from '../../store/learnings/history.ts';
import { learningsOfType } from '../../store/learnings/find.ts';
import { getLearning } from '../../store/learnings/learnings.ts';
import { setSignals } from '../../store/learnings/signals.ts';
import { runDaemon } from '../../testing/running-daemon.ts';
import { tempStore, type TempStore } from '../../testing/temp-home.ts';
import { cleanUp } from './cleanup.ts';
import { addExperience, deprecate, giveFeedback } from './keep.ts';
import { modelServer, writerWorld } from '../../drain/writers/llm/testing.ts';
import { mergeExperiences } from './merge.ts';
import { DAY } from '../../platform/time.ts';
import { afterUse } from './quality.ts';
import { worth } from '../../recall/inject/experience-marks.ts';
import { ranked } from './ranking.ts';

const NOW = Date.UTC(2026, 5, 15);

const experience = (task: string, more: Partial<Experience> = {}): Experience => ({
  id: `lrn-${task}`,
  task,
  outcome: 'success',
  category: 'coding',
  quality: 3,
  uses: 0,
  successes: 0,
  confidence: null,
  lessons: `Lesson of ${task}`,
  keywords: [],
  trace: '',
  project: '',
  deprecated: false,
  at: NOW,
  ...more,
});

describe('the rank of an experience', () => {
  test('is quality × freshness, halved every 35 days, × share of uses that helped, from the second use on', () => {
    expect(worth(experience('a', { quality: 4 }), NOW, 35).score).toBe(4);
    expect(worth(experience('a', { quality: 4, at: NOW - 35 * DAY }), NOW, 35)).toEqual({
      score: 2,
      decay: 0.5,
    });
    expect(worth(experience('a', { quality: 4, at: NOW - 70 * DAY, confidence: 0.75 }), NOW, 35).score).toBe(
      0.75,
    );
    expect(worth(experience('a', { at: NOW + DAY }), NOW, 35).decay).toBe(1); // a clock that jumped back
  });

  test('is higher for a fresh experience than for a stale one, and for a helpful one than for an unhelpful one', () => {
    const order = ranked(
      [
        experience('stale', { at: NOW - 90 * DAY }),
        experience('useless', { confidence: 0.2 }),
        experience('fresh'),
      ],
      NOW,
      5,
      35,
    );
    expect(order.map(({ task }) => task)).toEqual(['fresh', 'useless', 'stale']);
    const young = ranked(
      [
        experience('stale', { at: NOW - 90 * DAY }),
        experience('useless', { confidence: 0.2 }),
        experience('fresh'),
      ],
      NOW,
      5,
      3_650,
    );
    expect(young.map(({ task }) => task)).toEqual(['fresh', 'stale', 'useless']);
  });

  test('reserves the last position for the top failure and marks disagreement within a category', () => {
    const all = [
      experience('a'),
      experience('b', { quality: 2 }),
      experience('bad', { outcome: 'failed', quality: 1 }),
      experience('worse', { outcome: 'failed', quality: 5 }),
      experience('else', { category: 'git', quality: 1 }),
    ];
    const told = ranked(all, NOW, 3, 35);
    expect(told.map(({ task, flags }) => [task, flags])).toEqual([
      ['a', ['⚡']],
      ['b', ['⚡']],
      ['worse', ['⚠️', '⚡']],
    ]);
    expect(
      ranked(
        [experience('a'), experience('else', { category: 'git', outcome: 'partial' })],
        NOW,
        3,
        35,
      ).flatMap(({ flags }) => flags),
    ).toEqual([]);
  });
});

describe('quality', () => {
  const use = (outcomes: boolean[], quality = 3) =>
    outcomes.reduce((signals, helped) => afterUse(signals, helped), { quality, uses: 0, successes: 0 });

  test('does not change for two uses and follows from the third', () => {
    expect(use([true, true])).toEqual({ quality: 3, uses: 2, successes: 2 });
    expect(use([true, true, true])).toEqual({ quality: 4, uses: 3, successes: 3 });
    expect(use([false, false, true])).toEqual({ quality: 2, uses: 3, successes: 1 });
    expect(use([true, false, true]).quality).toBe(3); // neither 0.8 nor below 0.4
  });

  test('is never more than 5 nor less than 1', () => {
    expect(use(Array.from({ length: 9 }, () => true)).quality).toBe(5);
    expect(use(Array.from({ length: 9 }, () => false)).quality).toBe(1);
  });
});

function kept(store: TempStore) {
  const keep = (note: Parameters<typeof learn>[1], reason: string) => learn(store, note, reason, 'test');
  const add = (task: string, outcome: TaskOutcome = 'success', more: object = {}) =>
    addExperience(store, keep, {
      task,
      outcome,
      category: 'coding',
      quality: 3,
      lessons: `Lesson of ${task}.`,
      keywords: ['k'],
      trace: '',
      session: '',
      ...more,
    }).experience.id;
  return { keep, add, statusOf: (id: string) => getLearning(store.db, id).status };
}

describe('an experience', () => {
  test('is a learning with its own quality; the same lesson again is the same experience', () => {
    const store = tempStore();
    const { keep } = kept(store);
    const said = {
      task: 'Rebase the branch',
      outcome: 'failed' as const,
      category: 'git',
      quality: 5,
      lessons: 'Never rebase what is shared.',
      keywords: ['rebase'],
      trace: 'git rebase',
      session: 's',
    };
    const first = addExperience(store, keep, said);
    expect(first).toMatchObject({
      created: true,
      experience: {
        outcome: 'failed',
        quality: 5,
        uses: 0,
        confidence: null,
        keywords: ['rebase'],
        trace: 'git rebase',
      },
    });
    expect(getLearning(store.db, first.experience.id)).toMatchObject({
      type: 'experience',
      outcome: 'fail',
      task: said.task,
      guidance: said.lessons,
    });
    expect(addExperience(store, keep, said)).toMatchObject({
      created: false,
      experience: { id: first.experience.id },
    });
  });

  test('learns from feedback: counters, confidence, quality and utility', () => {
    const store = tempStore();
    const id = kept(store).add('Rebase');
    for (const helped of [true, true, true]) giveFeedback(store, id, helped, '', 0.3);
    expect(giveFeedback(store, id, false, 'it was wrong', 0.3)).toMatchObject({
      uses: 4,
      successes: 3,
      confidence: 0.75,
      quality: 4,
    });
    expect(getLearning(store.db, id).signals.qValue).toBeCloseTo(0.57995, 10);
  });
});

describe('cleaning up', () => {
  function aged(days: number, signals: Partial<Signals>, deprecated = false) {
    const store = tempStore();
    const { add, statusOf } = kept(store);
    const id = add('Old task');
    setSignals(store.db, id, signals);
    if (deprecated) deprecate(store, id, '', 'test');
    store.tick(days * DAY);
    return { store, id, statusOf };
  }

  test.each<[string, number, Partial<Signals>, boolean, boolean]>([
    ['deprecated for 31 days goes', 31, {}, true, true],
    ['deprecated for 29 days stays', 29, {}, true, false],
    ['of quality 1 for 91 days goes', 91, { quality: 1, recallCount: 9 }, false, true],
    ['of quality 1 for 89 days stays', 89, { quality: 1, recallCount: 9 }, false, false],
    ['of quality 2 that nobody asked for in 61 days goes', 61, { quality: 2 }, false, true],
    ['of quality 2 that somebody asked for stays', 61, { quality: 2, recallCount: 1 }, false, false],
    ['of quality 3 asked for once in 121 days goes', 121, { quality: 3, recallCount: 1 }, false, true],
    ['of quality 4 stays', 400, { quality: 4 }, false, false],
    ['of quality 5 with three uses stays for ever', 4_000, { quality: 5, uses: 3 }, false, false],
    ['of quality 5 with three uses goes when deprecated', 31, { quality: 5, uses: 3 }, true, true],
  ])('an experience %s', (_, days, signals, deprecated, goes) => {
    const { store, id, statusOf } = aged(days, signals, deprecated);
    expect(cleanUp(store, { dryRun: true })).toHaveLength(goes ? 1 : 0);
    expect(statusOf(id)).not.toBe('forgotten');
    cleanUp(store);
    expect(statusOf(id) === 'forgotten').toBe(goes);
    expect(cleanUp(store)).toEqual([]);
  });

  test('can be undone and changes no other learning', () => {
    const { store, id, statusOf } = aged(200, { quality: 1 });
    const other = learn(
      store,
      { ...getLearning(store.db, id), title: 'An old rule', type: 'pattern' },
      '',
      'test',
    ).learning.id;
    setSignals(store.db, other, { quality: 1 });
    store.tick(200 * DAY);
    expect(cleanUp(store).map((gone) => gone.id)).toEqual([id]);
    undo(store, historyOf(store.db, id)[0]?.id, 'person');
    expect([statusOf(id), statusOf(other)]).toEqual(['active', 'active']);
  });
});

describe('merging', () => {
  test('proposes one principle of quality 4 for three experiences of a category, links and keeps them, and proposes nothing again', async () => {
    const store = tempStore();
    const { add, keep, statusOf } = kept(store);
    const sources = [add('One', 'success', { quality: 5 }), add('Two', 'failed'), add('Three')];
    add('Git one', 'success', { category: 'git' });
    add('Git two', 'success', { category: 'git' });
    expect(await mergeExperiences(store, keep, { dryRun: true })).toMatchObject([
      { id: null, category: 'coding' },
    ]);
    const [principle, ...rest] = await mergeExperiences(store, keep);
    expect(rest).toEqual([]);
    const learning: Learning = getLearning(store.db, principle?.id ?? '');
    expect(learning).toMatchObject({
      status: 'proposed',
      type: 'principle',
      category: 'coding',
      signals: { quality: 4 },
    });
    expect((learning.metadata.sources as string[]).toSorted()).toEqual(sources.toSorted());
    expect(learning.title).toBe('In coding: Lesson of One.');
    for (const id of sources) expect([learning.body.includes(id), statusOf(id)]).toEqual([true, 'active']);
    expect(await mergeExperiences(store, keep)).toEqual([]);
    expect(learningsOfType(store.db, { type: 'principle' })).toHaveLength(1);
  });

  test('the model of the writer says what they have in common', async () => {
    const store = tempStore();
    const { add, keep } = kept(store);
    for (const task of ['One', 'Two', 'Three']) add(task);
    const principle = 'Run the tests of what you changed before you commit.';
    const server = await modelServer({ says: JSON.stringify({ principle }) });
    const knobs = { REFLECT_WRITER: 'openai', REFLECT_WRITER_ENDPOINT: `${server.url}/v1` };
    const { ask } = writerWorld({ store, knobs }).writer;
    expect(await mergeExperiences(store, keep, { ask })).toMatchObject([{ title: principle }]);
    expect(server.prompts()[0]).toContain('Lesson of Two.');
  });
});

describe('over RPC', () => {
  const add = (call: Call, task: string, outcome: TaskOutcome, lessons: string, more: object = {}) =>
    call('experience.add', { task, outcome, lessons, category: 'git', ...more });

  test('similar tasks return their lessons, a failure as a warning, and mark disagreement', async () => {
    const { call } = await runDaemon();
    await add(
      call,
      'Rebase the feature branch onto main',
      'success',
      'Rebase before the review, never after.',
      { quality: 4 },
    );
    await add(call, 'Rebase the release branch', 'failed', 'Rebasing a shared branch lost commits.');
    await add(call, 'Water the tomatoes', 'success', 'In the morning.', { category: 'garden' });
    const { experiences, text } = await call('experience.query', { task: 'rebase my branch' });
    expect(experiences.map(({ outcome, flags }) => [outcome, flags])).toEqual([
      ['success', ['⚡']],
      ['failed', ['⚠️', '⚡']],
    ]);
    expect(text).toContain(
      '⚠️ This failed before:\n⚡ Experiences in git disagree:\n- Rebase the release branch (failed)\n  Rebasing a shared branch lost commits.',
    );
    expect(text).not.toContain('tomatoes');
    for (const nothing of ['ok', 'Thanks!', 'continue'])
      expect((await call('experience.query', { task: nothing })).experiences).toEqual([]);
  });

  test('a deprecated experience is no longer returned but still listed', async () => {
    const { call } = await runDaemon();
    const {
      experience: { id },
    } = await add(call, 'Rebase the branch', 'success', 'Rebase it.');
    await call('experience.deprecate', { id, reason: 'we merge now' });
    expect((await call('experience.query', { task: 'rebase the branch' })).experiences).toEqual([]);
    expect(await call('experience.list', {})).toMatchObject([{ id, deprecated: true }]);
    expect(await call('experience.list', { deprecated: false })).toEqual([]);
  });

  test('history is recorded, searchable by words and can be extended', async () => {
    const { call } = await runDaemon();
    await add(call, 'Rebase the branch', 'partial', 'Half of it went through.');
    await call('history.append', { text: 'The on-call rotation changed', project: 'p' });
    expect((await call('history.search', { query: 'half REBASE' }))[0]).toMatchObject({
      kind: 'experience',
      text: 'Rebase the branch — partial: Half of it went through.',
    });
    expect(await call('history.search', { query: 'rotation', project: 'p' })).toHaveLength(1);
    expect(await call('history.search', { query: 'rotation', project: 'q' })).toEqual([]);
  });

  test('facts are saved, injected at every session start, and report whether they fit', async () => {
    const { call } = await runDaemon();
    await call('facts.add', { text: 'Ada leads the project', category: 'project', project: 'p' });
    await call('facts.add', { text: 'x'.repeat(301), category: 'personal', global: true });
    expect(
      (await call('facts.list', { project: 'p' }))
        .map(({ text, injected }) => [text.slice(0, 3), injected])
        .toSorted(),
    ).toEqual([
      ['Ada', true],
      ['xxx', false],
    ]);
    await expect(call('facts.add', { text: 'x', category: 'gossip' as 'general' })).rejects.toThrow(
      /category/,
    );
    await expect(call('facts.add', { text: 'x'.repeat(401) })).rejects.toThrow(/text/);
  });

  test('an unknown id, a learning that is not an experience and a quality of 6 are refused', async () => {
    const { call } = await runDaemon();
    const { learning } = await call('learnings.create', { note: { title: 'A rule', scope: 'global' } });
    await expect(call('experience.feedback', { id: 'lrn-none', helped: true })).rejects.toThrow(/lrn-none/);
    await expect(call('experience.feedback', { id: learning.id, helped: true })).rejects.toThrow(
      /is not an experience/,
    );
    await expect(call('experience.deprecate', { id: learning.id })).rejects.toThrow(/is not an experience/);
    await expect(add(call, 't', 'success', 'l', { quality: 6 })).rejects.toThrow(/quality/);
    await expect(add(call, 't', 'won' as TaskOutcome, 'l')).rejects.toThrow(/outcome/);
    expect((await call('learnings.get', { id: learning.id })).status).toBe('active');
  });
});
