import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Queue } from './queue.ts';

test('a query overtakes every document that has not started', async () => {
  const queue = new Queue();
  const order: string[] = [];
  const step = (name: string) => async () => void (await sleep(5), order.push(name));
  await Promise.all([
    queue.add('document', undefined, step('document 1')),
    queue.add('document', undefined, step('document 2')),
    queue.add('query', undefined, step('query 1')),
    queue.add('document', undefined, step('document 3')),
    queue.add('query', undefined, step('query 2')),
  ]);
  expect(order).toEqual(['document 1', 'query 1', 'query 2', 'document 2', 'document 3']);
});

test('a hook overtakes every query that has not started', async () => {
  const queue = new Queue();
  const order: string[] = [];
  const step = (name: string) => async () => void (await sleep(5), order.push(name));
  await Promise.all([
    queue.add('query', undefined, step('query 1')),
    queue.add('query', undefined, step('query 2')),
    queue.add('document', undefined, step('document')),
    queue.add('hook', undefined, step('hook')),
  ]);
  expect(order).toEqual(['query 1', 'hook', 'query 2', 'document']);
});

test('a job that waited too long never runs, and one that runs too long is not waited for', async () => {
  const queue = new Queue();
  let done = 0;
  const slow = async () => void (await sleep(80), (done += 1));
  const results = await Promise.allSettled([
    queue.add('query', 20, slow),
    queue.add('query', 30, slow),
    queue.add('query', undefined, slow),
  ]);
  expect(results).toMatchObject([
    { reason: { code: 'timed-out' } },
    { reason: { code: 'timed-out' } },
    { status: 'fulfilled' },
  ]);
  expect(done).toBe(2);
});

test('a job that does not begin in time is refused, and one that has begun is waited for', async () => {
  const queue = new Queue();
  const slow = () => sleep(80).then(() => 'done');
  const results = await Promise.allSettled([
    queue.add('query', undefined, slow, 0, 30),
    queue.add('query', undefined, slow, 0, 30),
    queue.add('query', undefined, slow, 0),
  ]);
  expect(results).toMatchObject([
    { value: 'done' },
    { reason: { code: 'timed-out', detail: 'too many others wait for inference' } },
    { value: 'done' },
  ]);
});

test('a failure reaches only its own caller, and the next job runs', async () => {
  const queue = new Queue();
  const failing = queue.add('query', undefined, () => Promise.reject(new Error('no')));
  const next = queue.add('query', undefined, () => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('after closing, waiting and new jobs are refused', async () => {
  const queue = new Queue();
  const both = Promise.allSettled([
    queue.add('document', undefined, () => sleep(10)),
    queue.add('document', undefined, () => sleep(10)),
  ]);
  queue.close();
  expect(await both).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'unreachable' } }]);
  await expect(queue.add('query', undefined, () => sleep(1))).rejects.toMatchObject({ code: 'unreachable' });
});

test('two lanes work at the same time, each in its own order, but on one document only', async () => {
  const queue = new Queue();
  const order: string[] = [];
  const running = new Set<string>();
  const together: string[] = [];
  const job = (name: string) => async () => {
    running.add(name);
    together.push([...running].join(' and '));
    await sleep(10);
    running.delete(name);
    order.push(name);
  };
  await Promise.all([
    queue.add('document', undefined, job('document 1'), 0),
    queue.add('document', undefined, job('document 2'), 1),
    queue.add('query', undefined, job('query'), 1),
  ]);
  expect(together).toContain('document 1 and query');
  expect(together.join()).not.toMatch(/document 1 and document 2|document 2 and document 1/);
  expect(order).toHaveLength(3);
});
