import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { asCaller, Turnstile } from './turnstile.ts';

test('a few pass at a time, in order, and those that waited know how long', async () => {
  const turnstile = new Turnstile();
  const order: number[] = [];
  const waits: number[] = [];
  let inside = 0;
  let most = 0;
  const visit = (index: number) =>
    turnstile.pass(async (waited) => {
      order.push(index);
      waits.push(waited);
      most = Math.max(most, ++inside);
      await sleep(5);
      inside--;
    });
  await Promise.all(Array.from({ length: 12 }, (_, index) => visit(index)));
  expect(order).toEqual(Array.from({ length: 12 }, (_, index) => index));
  expect(most).toBe(4);
  expect(waits.slice(0, 4)).toEqual([0, 0, 0, 0]);
  expect(waits.slice(4).every((waited) => waited > 0)).toBe(true);
});

test('whoever does not queue gets a turn between two that do', async () => {
  const turnstile = new Turnstile();
  const order: string[] = [];
  const busy = () => {
    const until = performance.now() + 5;
    while (performance.now() < until);
  };
  const questions = Array.from({ length: 20 }, (_, index) =>
    turnstile.pass(() => {
      busy();
      order.push(`question ${index}`);
    }),
  );
  setTimeout(() => order.push('hook'), 1);
  await Promise.all(questions);
  expect(order.indexOf('hook')).toBeLessThan(10);
});

test('one that fails lets the next one in', async () => {
  const turnstile = new Turnstile();
  const failing = Array.from({ length: 6 }, () => turnstile.pass(() => Promise.reject(new Error('no'))));
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(
    Array<string>(6).fill('rejected'),
  );
  expect(await turnstile.pass(() => 'yes')).toBe('yes');
});

test('a client that asks once waits for a round of the others, not for all they asked', async () => {
  const turnstile = new Turnstile();
  const order: string[] = [];
  const ask = (client: object, name: string) =>
    asCaller(client, () =>
      turnstile.pass(async () => {
        order.push(name);
        await new Promise((resolve) => setImmediate(resolve));
      }),
    );
  const [greedy, other] = [{}, {}];
  const asked = Array.from({ length: 100 }, (_, index) => ask(greedy, `greedy ${index}`));
  asked.push(ask(other, 'other'));
  await Promise.all(asked);
  expect(order).toHaveLength(101);
  expect(order.indexOf('other')).toBeLessThan(8);
  expect(order.filter((name) => name !== 'other')).toEqual(
    Array.from({ length: 100 }, (_, index) => `greedy ${index}`),
  );
});
