import { describe, expect, test } from 'vitest';
import type { Hit, TraceStep } from '#contract/recall.ts';
import type { KnobState } from '#contract/settings.ts';
import type { Call } from '#contract/methods.ts';
import { compared, countsOf, flowOf, storyOf } from './flow.ts';
import { Drafts } from '../drafts.svelte.ts';
import { labDrafts, LabState, readShared } from './lab.svelte.ts';
import { Queries } from '../query/queries.svelte.ts';
import { learningOf } from '../testing.ts';

const step = (port: string, ids: string[], dropped: string[] = [], scores = 1): TraceStep => ({
  stage: port.split('.')[0] ?? port,
  port,
  seed: null,
  on: true,
  ms: 1,
  says: '',
  knobs: {},
  candidates: ids.map((id, rank) => ({ id, title: id, rank: rank + 1, score: scores - rank / 10 })),
  dropped: dropped.map((id) => ({ id, title: id, reason: 'too weak' })),
});

const hit = (id: string): Hit => ({
  learning: learningOf(id),
  score: 1,
  rank: 1,
  tokens: 10,
});

const trace = [
  step('arm.words', ['aaa', 'bbb']),
  step('arm.vector', ['bbb', 'ccc']),
  step('floor.per-arm', ['aaa', 'bbb', 'bbb', 'ccc']),
  step('fuse.adaptive', ['bbb', 'aaa', 'ccc']),
  step('boost.proof', ['bbb', 'aaa', 'ccc']),
  step('boost.recency', ['aaa', 'bbb', 'ccc'], [], 2),
  step('budget.tokens', ['aaa', 'bbb'], ['ccc'], 2),
];

describe('the flow of candidates', () => {
  const { columns, lines } = flowOf(trace, [hit('aaa'), hit('bbb')]);
  const line = (id: string) => lines.find((one) => one.id === id);

  test('has a column for each arm and one for each stage after them', () => {
    expect(columns.map(({ key }) => key)).toEqual(['arm.words', 'arm.vector', 'fuse', 'boost', 'budget']);
    expect(columns[3]).toMatchObject({ stepIndex: 5, ms: 2 });
  });

  test('follows a candidate from where the arms found it to its final place', () => {
    expect(line('bbb')).toMatchObject({
      order: 1,
      found: [
        { column: 0, place: 2 },
        { column: 1, place: 1 },
      ],
      path: [
        { column: 2, place: 1 },
        { column: 3, place: 2 },
        { column: 4, place: 2 },
      ],
    });
  });

  test('ends where a candidate left, with the reason', () => {
    expect(line('ccc')).toMatchObject({ order: null, left: { column: 4, reason: 'too weak' } });
  });
});

test('the story of a candidate tells only the steps that changed something for it', () => {
  expect(storyOf(trace, 'ccc').map(({ port, place, from, says }) => [port, place, from, says])).toEqual([
    ['arm.vector', 2, null, ''],
    ['fuse.adaptive', 3, null, ''],
    ['boost.recency', 3, 3, ''],
    ['budget.tokens', null, 3, 'too weak'],
  ]);
});

test('two answers are set against each other place by place', () => {
  expect(
    compared([hit('aaa'), hit('bbb')], [hit('bbb'), hit('ccc')]).map(({ place, other }) => [place, other]),
  ).toEqual([
    [1, null],
    [2, 1],
  ]);
});

test('a step tells how many it was given and how many it left', () => {
  expect(countsOf(trace).at(-1)).toEqual({ given: 3, left: 2 });
  expect(countsOf(trace)[3]).toEqual({ given: 4, left: 3 });
});

describe('a shared address', () => {
  test('carries question, scope and knobs there and back', () => {
    const lab = new LabState(new Queries((async () => []) as unknown as Call), new Drafts([labDrafts]));
    Object.assign(lab, {
      query: 'how',
      project: 'acme/shop',
      allBranches: true,
      knobs: { RECALL_MMR: false },
    });
    expect(readShared(lab.shared)).toEqual({
      query: 'how',
      project: 'acme/shop',
      allBranches: true,
      knobs: { RECALL_MMR: false },
    });
  });

  test.each(['{', '[]', '{"a":{"b":1}}', 'null', '"x"'])('with %s for knobs compares nothing', (knobs) => {
    expect(readShared({ q: 'how', knobs }).knobs).toEqual({});
  });
});

describe('the second lane', () => {
  const mmr = {
    name: 'RECALL_MMR',
    type: 'flag',
    port: 'diversify.marginal-relevance',
    value: true,
    default: true,
  } as KnobState;
  function world() {
    const asked: unknown[] = [];
    const call = async (method: string, input: { knobs?: unknown }) => {
      if (method === 'config.list') return [mmr];
      if (method === 'recall.explain') asked.push(input.knobs);
      return method === 'projects.list' ? [] : { hits: [], trace: [] };
    };
    const drafts = new Drafts([labDrafts]);
    return { lab: new LabState(new Queries(call as unknown as Call), drafts), asked, drafts };
  }

  test('is asked when a port is switched, and gone when it is switched back', async () => {
    const { lab, asked } = world();
    await lab.prepare();
    lab.query = 'how';
    await lab.ask();
    expect(asked).toEqual([{ RECALL_CACHE: false }]);
    lab.toggle(mmr.port);
    await expect.poll(() => lab.second.value).toBeDefined();
    expect(asked.at(-1)).toEqual({ RECALL_CACHE: false, RECALL_MMR: false });
    lab.toggle(mmr.port);
    expect(lab.compares).toBe(false);
    expect(lab.second.value).toBeUndefined();
  });

  test('a half-typed knob is a draft until it is turned', async () => {
    const { lab, drafts } = world();
    await lab.prepare();
    drafts.set(labDrafts, mmr.name, { typed: '0.', saved: '0.7' });
    expect(lab.compares).toBe(false);
    lab.turn(mmr, 0.5);
    expect([lab.compares, drafts.of(labDrafts, mmr.name)]).toEqual([true, undefined]);
  });

  test('an empty question is not asked', async () => {
    const { lab, asked } = world();
    lab.query = '  ';
    await lab.ask();
    expect(asked).toEqual([]);
  });
});
