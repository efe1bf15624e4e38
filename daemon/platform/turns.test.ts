import { expect, test } from 'vitest';
import { inTurns } from './turns.ts';

const busy = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until;);
};

function* working(steps: number, stepMs: number, closed: () => void): Generator<number, string> {
  try {
    for (let step = 0; step < steps; step++) {
      busy(stepMs);
      yield step;
    }
    return 'done';
  } finally {
    closed();
  }
}

const go = new AbortController().signal;

test('other work runs between two slices of long work', async () => {
  let othersRan = 0;
  const timer = setInterval(() => othersRan++, 1);
  const result = await inTurns(
    working(20, 5, () => {}),
    go,
  );
  clearInterval(timer);
  expect(result).toBe('done');
  expect(othersRan).toBeGreaterThanOrEqual(20);
});

test('short steps share a slice', async () => {
  let turns = 0;
  const count = () => {
    turns++;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  await inTurns(
    working(1_000, 0, () => {}),
    go,
    { rests: false },
  );
  clearImmediate(immediate);
  expect(turns).toBeLessThan(100);
});

test('aborted, it takes no further step, closes what it has open and throws the reason', async () => {
  const stopping = new AbortController();
  const steps: number[] = [];
  let closed = false;
  const work = inTurns(
    working(100, 4, () => (closed = true)),
    stopping.signal,
    {
      onStep: (step) => {
        steps.push(step);
        if (step === 3) stopping.abort(new Error('stopped'));
      },
    },
  );
  await expect(work).rejects.toThrow('stopped');
  expect([steps, closed]).toEqual([[0, 1, 2, 3], true]);
});
