import { describe, expect, test } from 'vitest';
import { crossValidate, type Example, fit, predict } from './fit.ts';
import type { Label, LabelledSession } from './labelled.ts';
import { score } from './score.ts';

const example = (session: string, label: boolean, ...features: number[]): Example => ({
  session,
  label,
  weight: 1,
  features,
});
const data = ['a', 'b', 'c', 'd'].flatMap((session) => [
  example(session, true, 1, 1),
  example(session, true, 1, 0),
  example(session, false, 0, 1),
  example(session, false, 0, 0),
]);

describe('fitting the judge', () => {
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
    const silent = Array.from({ length: 50 }, () => ({ ...example('e', false, 1, 0), weight: 0 }));
    expect(fit([...data, ...silent], [0, 0], 1)).toEqual(fit(data, [0, 0], 1));
  });
  test('a session is judged by a model that never saw it', () => {
    const odd = Array.from({ length: 4 }, () => example('odd', false, 1, 0));
    const [inside, outside] = [
      predict(fit([...data, ...odd], [0, 0], 1), [1, 0]),
      crossValidate([...data, ...odd], [0, 0], 1).at(-1),
    ];
    expect(outside).toBeGreaterThan(inside);
  });
});

describe('scoring what was captured', () => {
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
    repo: '',
    unread: new Set([40]),
    labels: [label(10, 3), label(20, 2, [25]), label(90)],
    negatives: [33],
  };
  const of = (lines: number[], within = 0) =>
    score([{ session, found: lines.map((line) => ({ line, signal: 'x' })) }], within);

  test('a capture counts on the labelled line or on one that repeats it', () => {
    expect(of([10, 25])).toMatchObject({ precision: 1, recall: 2 / 3, importantRecall: 1 });
  });
  test('a capture elsewhere lowers precision, unless the statement was not read in full', () => {
    expect(of([10, 33, 40])).toMatchObject({ found: 2, precision: 0.5, negativesHit: 1 });
  });
  test('a lenient score accepts a capture a few lines away', () => {
    expect(of([15])).toMatchObject({ precision: 0 });
    expect(of([15], 6)).toMatchObject({ precision: 1, importantRecall: 1 });
  });
});
