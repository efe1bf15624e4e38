import { describe, expect, test } from 'vitest';
import { SessionEvents } from '../../testing/session-events.ts';
import { FINDING_CUES } from '../judge/finding-cues.ts';
import { HUMAN_CUES } from '../judge/human-cues.ts';
import type { ReadSession } from './examples.ts';
import { type Example, fit } from './fit.ts';
import type { Label, LabelledSession } from './labelled.ts';
import { hear, weightsWithout } from './left-out.ts';
import { figuresOf, reliabilityOf } from './tables.ts';

const example = (label: boolean, ...features: number[]): Example => ({ label, weight: 1, features });
const data = Array.from({ length: 4 }, () => [
  example(true, 1, 1),
  example(true, 1, 0),
  example(false, 0, 1),
  example(false, 0, 0),
]).flat();

describe('fitting a judge', () => {
  test('a cue that separates lessons gains weight, one that does not keeps its prior', () => {
    const { weights } = fit(data, [0, 0.3], 1);
    expect(weights[0]).toBeGreaterThan(1.5);
    expect(weights[1]).toBeCloseTo(0.3, 0);
  });
  test('with a strong pull, the priors stay', () => {
    expect(fit(data, [0.5, -0.5], 1e6).weights.map((weight) => Math.round(weight * 100) / 100)).toEqual([
      0.5, -0.5,
    ]);
  });
  test('an example with weight 0 changes nothing', () => {
    const silent = Array.from({ length: 50 }, () => ({ ...example(false, 1, 0), weight: 0 }));
    expect(fit([...data, ...silent], [0, 0], 1)).toEqual(fit(data, [0, 0], 1));
  });
});

const label = (line: number, importance = 2, also: number[] = []): Label => ({
  id: `l${line}`,
  session: 's',
  line,
  kind: 'correction',
  speaker: 'human',
  learning: '',
  importance,
  queries: [],
  also_lines: also,
});
const session: LabelledSession = {
  name: 's',
  path: '',
  agent: 'claude-code',
  repo: 'shop',
  unread: new Set([40]),
  labels: [label(10, 3), label(20, 2, [25]), label(90)],
  negatives: [],
};
const read = (events: SessionEvents, changes: Partial<ReadSession> = {}): ReadSession => ({
  session,
  events: events.events,
  lineOf: (position) => position / 100,
  person: 'ada',
  examples: { human: [], finding: [] },
  ...changes,
});

describe('left out', () => {
  const withCue = (cue: string) => HUMAN_CUES.map(({ id }) => Number(id === cue));
  const refusals = (right: boolean) => ({
    human: Array.from({ length: 40 }, () => [
      example(right, ...withCue('refusal')),
      example(!right, ...withCue('none')),
    ]).flat(),
    finding: [example(false, ...FINDING_CUES.map(() => 0))],
  });
  const ada = read(new SessionEvents(), { person: 'ada', examples: refusals(true) });
  const bob = read(new SessionEvents(), { person: 'bob', examples: refusals(false) });

  test('a person is judged by what the others taught', () => {
    const weights = weightsWithout([ada, bob], ({ person }) => person);
    const refusalFor = (one: ReadSession) => weights.get(one)?.human.cues.refusal ?? 0;
    expect(refusalFor(bob)).toBeGreaterThan(refusalFor(ada));
  });
  test('a session is heard by the pipeline, with a bar of its own', () => {
    const events = new SessionEvents()
      .human('Add a page')
      .agent('Done.')
      .human("no, don't use npm")
      .agent('OK.');
    const weights = weightsWithout([ada, bob], ({ person }) => person).get(bob);
    if (!weights) throw new Error('no weights');
    expect(hear(read(events), weights, 0.05).moments.map(({ line }) => line)).toContain(2);
    expect(hear(read(events), weights, 1).moments).toEqual([]);
  });
});

describe('figures of what was heard', () => {
  const heard = (...moments: Array<[line: number, score?: number]>) => [
    {
      read: read(new SessionEvents()),
      moments: moments.map(([line, score = 0.5]) => ({ line, score, signal: 'x', quote: '', why: [] })),
    },
  ];

  test('a moment counts on the labelled line or on one that repeats it', () => {
    expect(figuresOf(heard([10], [25]))).toMatchObject({ precision: 1, recall: 2 / 3, importantRecall: 1 });
  });
  test('a moment elsewhere lowers precision, unless the statement was not read in full', () => {
    expect(figuresOf(heard([10], [33], [40]))).toMatchObject({
      moments: 2,
      precision: 0.5,
      medianPerSession: 3,
    });
  });
  test('a moment a few lines away is near', () => {
    expect(figuresOf(heard([15]))).toMatchObject({ recall: 0, nearRecall: 2 / 3 });
  });
  test('the area is the share of pairs in which the lesson scores higher', () => {
    expect(figuresOf(heard([10, 0.9], [20, 0.2], [33, 0.5])).area).toBe(0.5);
  });
  test('said and so are compared step by step; what repeats a lesson counts neither way', () => {
    const steps = reliabilityOf(heard([10, 0.92], [33, 0.94], [25, 0.96]));
    expect(steps.at(-1)).toMatchObject({ moments: 2, right: 0.5 });
  });
});
