import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DAY } from './time.ts';
import { BackgroundTask, type TaskOptions } from './background-task.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

function counting(options: Partial<TaskOptions<number>> = {}) {
  const errors: unknown[] = [];
  let runs = 0;
  const task = new BackgroundTask({
    work: () => ++runs,
    onError: (error) => errors.push(error),
    ...options,
  });
  return { task, errors, runs: () => runs };
}

/** A task whose every run awaits a few steps, each 10 ms long. */
function stepping(steps = 3) {
  const log: string[] = [];
  let run = 0;
  const { task, errors } = counting({
    work: async (signal) => {
      const name = ++run;
      for (let step = 0; step < steps; step++) {
        signal.throwIfAborted();
        log.push(`${name}.${step}`);
        await new Promise((done) => setTimeout(done, 10));
      }
      return name;
    },
  });
  return { task, errors, log };
}

test('many wakes are one run, and then it rests without a timer', async () => {
  const { task, runs } = counting({ settleMs: 100 });
  task.wake();
  task.wake();
  await pass(99);
  expect(runs()).toBe(0);
  await pass(1);
  expect(runs()).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('the earliest of several wakes counts', async () => {
  const { task, runs } = counting();
  task.wake(1_000);
  task.wake(10);
  task.wake(500);
  await pass(10);
  expect(runs()).toBe(1);
  await pass(2_000);
  expect(runs()).toBe(1);
});

test('wakes during a run lead to one more run, however many there are', async () => {
  const { task, log } = stepping(1);
  task.wake();
  await pass(5);
  for (let wakes = 0; wakes < 5; wakes++) task.wake();
  await pass(1_000);
  expect(log).toEqual(['1.0', '2.0']);
});

test('two runs never overlap; calls during one share the next', async () => {
  const { task, log } = stepping(2);
  const first = task.run();
  await pass(5);
  const [second, third] = [task.run(), task.run()];
  await pass(100);
  expect(await Promise.all([first, second, third])).toEqual([1, 2, 2]);
  expect(log).toEqual(['1.0', '1.1', '2.0', '2.1']);
});

test('it runs again when the work says so, and a distant date does not fire at once', async () => {
  let next: number | null = 5_000;
  const { task, runs } = counting({ next: () => next });
  task.wake();
  await pass(0);
  next = 400 * DAY;
  await pass(5_000);
  expect(runs()).toBe(2);
  await pass(DAY);
  expect(runs()).toBe(2);
});

test('after failures it waits longer and longer, and a wake does not shorten the wait; a success resets it', async () => {
  let failing = true;
  let runs = 0;
  const { task, errors } = counting({
    retryMs: 1_000,
    work: () => {
      runs++;
      if (failing) throw new Error('disk full');
      return runs;
    },
  });
  task.wake();
  await pass(0);
  task.wake();
  await pass(999);
  expect(runs).toBe(1);
  await pass(1);
  expect(runs).toBe(2);
  await pass(1_999);
  expect(runs).toBe(2);
  await pass(1);
  expect([runs, errors.length]).toEqual([3, 3]);
  failing = false;
  await pass(4_000);
  expect(runs).toBe(4);
  expect(vi.getTimerCount()).toBe(0);
  task.wake();
  await pass(0);
  expect(runs).toBe(5);
});

test('the caller of a run gets its failure', async () => {
  const { task } = counting({ work: () => Promise.reject(new Error('disk full')) });
  await expect(task.run()).rejects.toThrow('disk full');
});

test('whenever it is stopped, its work has ended when stop resolves, and nothing runs afterwards', async () => {
  // A run of three steps with a second one queued takes 60 ms: each millisecond of it is tried.
  for (let at = 0; at <= 65; at++) {
    const { task, errors, log } = stepping();
    task.wake();
    const runs = [task.run(), task.run()].map((run) => run.catch(() => 'stopped'));
    await pass(at);
    const stopped = task.stop();
    await pass(20);
    await stopped;
    const before = [...log];
    task.wake();
    expect(vi.getTimerCount(), `woken after a stop after ${at} ms`).toBe(0);
    await expect(task.run()).rejects.toThrow();
    await pass(10_000);
    await Promise.all(runs);
    expect(log, `stopped after ${at} ms`).toEqual(before);
    expect([task.isRunning, errors, vi.getTimerCount()]).toEqual([false, [], 0]);
  }
});

test('a stop resolves only after the work has ended', async () => {
  const ending = Promise.withResolvers<number>();
  const { task } = counting({ work: () => ending.promise });
  const run = task.run();
  await pass(0);
  let isStopped = false;
  const stopped = task.stop().then(() => (isStopped = true));
  await pass(1_000);
  expect(isStopped).toBe(false);
  ending.resolve(1);
  await Promise.all([run, stopped]);
});

test('stopped between the call and its start, a run never starts', async () => {
  const { task, runs } = counting();
  const run = task.run();
  const stopped = task.stop();
  await expect(run).rejects.toThrow();
  await stopped;
  expect(runs()).toBe(0);
});

test('a failure during a stop is reported, the stop itself is not', async () => {
  const { task, errors } = counting({
    work: async (signal) => {
      await new Promise((done) => signal.addEventListener('abort', done));
      throw new Error('half written');
    },
  });
  const run = task.run().catch(() => {});
  await pass(0);
  await task.stop();
  await run;
  expect(errors).toEqual([new Error('half written')]);
});
