import { describe, expect, test } from 'vitest';
import { MemoryQuery } from '#contract/outcomes.ts';
import { NO_WEIGHTS } from '../../inference/testing.ts';
import { listReviews } from '../../store/outcomes/reviews.ts';
import { needs } from '../../testing/needs.ts';
import { type Given, type World, world } from '../../testing/world.ts';
import { augment } from './augment.ts';
import { diverse, queryMemories } from './query.ts';

const memory = (task: string, guidance: string, more: Partial<Given> = {}): Given => ({
  title: task,
  task,
  guidance,
  rule: guidance,
  type: 'memory',
  scope: 'global',
  ...more,
});
const ask = ({ parts }: World, task: string, more: object = {}) =>
  queryMemories(parts, MemoryQuery.parse({ task, ...more }));
const tasks = async (known: World, task: string, more: object = {}) =>
  (await ask(known, task, more)).memories.map(({ task: past }) => past);

const TASK = 'How do I retry a failed HTTP request?';
const jitter = memory(
  'Retry failed HTTP requests with backoff',
  'Use exponential backoff with jitter between retries of a request.',
);
const fixed = memory(
  'Retry failed HTTP requests after a delay',
  'Wait a fixed second between the retries of a failed request.',
  { signals: { qValue: 0.95 } },
);
const garden = memory('Water the tomatoes', 'Water tomatoes in the morning.', { signals: { qValue: 1 } });

describe('with the embedder', () => {
  needs(NO_WEIGHTS);

  test('a memory below the similarity threshold is left out however useful it is; a threshold of 0 admits all', async () => {
    const known = await world([jitter, garden]);
    expect(await tasks(known, TASK)).toEqual([jitter.task]);
    expect(await tasks(known, TASK, { similarityThreshold: 0 })).toContain(garden.task);
    expect(await tasks(known, TASK, { similarityThreshold: 0.99 })).toEqual([]);
  });

  test('the example of the original documentation holds at its threshold: both memories of retrying, and nothing else', async () => {
    const known = await world([
      memory(
        'Handle transient API failures',
        'Use a base delay with exponential increase and random jitter.',
        {
          outcome: 'pass',
        },
      ),
      memory('Retry failed HTTP requests', 'Fixed delays without jitter caused thundering herd issues.', {
        outcome: 'fail',
      }),
      memory('Cancel a reservation', 'Check the fare rules before cancelling.', { outcome: 'pass' }),
      memory('Migrate the orders table to a new schema', 'Backfill the column, then set NOT NULL.'),
      garden,
    ]);
    const task = 'Implement exponential backoff for retries';
    const { memories } = await ask(known, task);
    expect(memories.map(({ task: past }) => past).toSorted()).toEqual([
      'Handle transient API failures',
      'Retry failed HTTP requests',
    ]);
    expect(augment(task, memories)).toBe(`Implement exponential backoff for retries

Relevant memories:

Successful memories:

--- Memory 1 ---
Past task:
Handle transient API failures

Reflection:
Use a base delay with exponential increase and random jitter.

Failed memories:

--- Memory 2 ---
Past task:
Retry failed HTTP requests

Reflection:
Fixed delays without jitter caused thundering herd issues.`);
    expect(await tasks(known, 'Customer wants to cancel a flight')).toEqual(['Cancel a reservation']);
    expect(await tasks(known, 'Plan a birthday party')).toEqual([]);
  });

  test('among ordinary learnings, a memory of the same kind of task never falls behind an unrelated one', async () => {
    const ordinary = [
      'Use exponential search for sorted logs',
      'Increase the delay of the reconnect timer after each failure',
      'Implement retries of flaky tests by quarantining them',
      'Set a timeout on every outgoing HTTP call',
      'Run the linter before every commit',
    ].map((title) => ({ title, scope: 'global' as const }));
    const known = await world([
      ...ordinary,
      memory(
        'Handle transient API failures',
        'Use a base delay with exponential increase and random jitter.',
      ),
      memory('Retry failed HTTP requests', 'Fixed delays without jitter caused thundering herd issues.'),
    ]);
    const found = await tasks(known, 'Implement exponential backoff for retries');
    expect(found).toHaveLength(7);
    expect(found.at(-1)).toBe('Run the linter before every commit');
  });

  test('lambda shifts the ranking from similarity to utility, and the score blends both', async () => {
    const known = await world([jitter, fixed]);
    const similar = await ask(known, 'Use exponential backoff with jitter for failed HTTP requests', {
      lambda: 0,
    });
    expect(similar.memories.map(({ task }) => task)).toEqual([jitter.task, fixed.task]);
    expect(
      await tasks(known, 'Use exponential backoff with jitter for failed HTTP requests', { lambda: 1 }),
    ).toEqual([fixed.task, jitter.task]);
    for (const { score, similarity, qValue } of (await ask(known, TASK)).memories)
      expect(score).toBeCloseTo(0.5 * similarity + 0.5 * qValue, 10);
  });

  test('mmrLambda ranks a second idea before a paraphrase of the first; 1 switches that off', async () => {
    const twin = memory(
      'Retry failed HTTP requests using backoff',
      'Use exponential backoff with jitter between the retries of a request.',
    );
    const other = memory(
      'Make a failed HTTP request safe to send again',
      'Send an idempotency key, so that a retry of a payment is not charged twice.',
      { signals: { qValue: 0.3 } },
    );
    const known = await world([jitter, twin, other]);
    expect(await tasks(known, TASK, { limit: 2, mmrLambda: 1, similarityThreshold: 0.2 })).not.toContain(
      other.task,
    );
    expect(await tasks(known, TASK, { limit: 2, mmrLambda: 0.5, similarityThreshold: 0.2 })).toContain(
      other.task,
    );
  });

  test('metadata filters apply to the search itself: all keys must match, and a value matches a list that contains it', async () => {
    const tagged = (n: number, metadata: Record<string, unknown>) =>
      memory(`Retry failed HTTP requests, way ${n}`, `Way ${n} of retrying a request.`, { metadata });
    const known = await world([
      tagged(1, { domain: 'airline', action: 'cancel' }),
      tagged(2, { domain: 'airline', actions: ['cancel', 'modify'], level: 2, vip: true }),
      tagged(3, { domain: 'hotel', action: 'cancel' }),
      tagged(4, {}),
    ]);
    const ways = async (metadataFilter: object) =>
      (await tasks(known, TASK, { metadataFilter, similarityThreshold: 0 }))
        .map((task) => Number(task.at(-1)))
        .toSorted();
    expect(await ways({ domain: 'airline' })).toEqual([1, 2]);
    expect(await ways({ domain: 'airline', action: 'cancel' })).toEqual([1]);
    expect(await ways({ actions: 'modify' })).toEqual([2]);
    expect(await ways({ level: 2, vip: true })).toEqual([2]);
    expect(await ways({ level: '2' })).toEqual([]);
    expect(await ways({ vip: 1 })).toEqual([]);
    expect(await ways({})).toEqual([1, 2, 3, 4]);
  });

  test('any learning is a memory: a captured correction is found by its words and returns its lesson', async () => {
    const known = await world([
      {
        title: 'Never retry a POST request without an idempotency key',
        fix: 'Send Idempotency-Key',
        problem: 'A payment was charged twice',
        scope: 'global',
      },
    ]);
    const {
      memories: [found],
    } = await ask(known, 'retry a failed POST request');
    expect(found).toMatchObject({
      success: null,
      qValue: 0.5,
      reflection: expect.stringContaining('Instead: Send Idempotency-Key') as string,
    });
  });

  test('a query counts as a recall of its session and judges nothing', async () => {
    const known = await world([jitter]);
    await ask(known, TASK, { session: 's1' });
    expect(known.parts.db.prepare('SELECT session, ids FROM recall_log').all()).toEqual([
      { session: 's1', ids: JSON.stringify([known.learnings[0]?.id]) },
    ]);
    expect(listReviews(known.parts.db, { limit: 10 })).toEqual([]);
  });

  test('the memories of another project stay there', async () => {
    const known = await world([{ ...jitter, scope: 'project', project: 'github.com/acme/shop' }]);
    expect(await tasks(known, TASK, { project: 'github.com/acme/billing' })).toEqual([]);
    expect(await tasks(known, TASK, { project: 'github.com/acme/shop' })).toEqual([jitter.task]);
    expect(await tasks(known, TASK, { project: 'github.com/acme/billing', global: true })).toEqual([
      jitter.task,
    ]);
    expect(await tasks(known, TASK)).toEqual([jitter.task]); // nowhere in particular is everywhere
    expect(await tasks(known, TASK, { global: false })).toEqual([]);
  });
});

describe('choosing for novelty', () => {
  const pool = [
    { seq: 1, score: 0.9 },
    { seq: 2, score: 0.88 },
    { seq: 3, score: 0.6 },
  ];
  const likeness = (one: number, other: number) => (one + other === 3 ? 0.95 : 0.1);

  test('takes the best first, then the candidate that adds most', () => {
    expect(diverse(pool, 3, 0.7, likeness).map(({ seq }) => seq)).toEqual([1, 3, 2]);
  });

  test('is by score alone at 1 and by novelty alone at 0', () => {
    expect(diverse(pool, 2, 1, likeness).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(diverse(pool, 2, 0, likeness).map(({ seq }) => seq)).toEqual([1, 3]);
    expect(diverse([], 2, 0.5, likeness)).toEqual([]);
  });
});
