import { expect, test } from 'vitest';
import { RunningParts } from './running-parts.ts';

test('parts stop in reverse order, one after another, and a failing part does not keep the others from stopping', async () => {
  const parts = new RunningParts();
  const steps: string[] = [];
  const slow = (name: string) => async () => {
    steps.push(`${name} stops`);
    await new Promise((done) => setTimeout(done, 5));
    steps.push(`${name} stopped`);
  };
  parts.add('store', slow('store'));
  parts.add('drain', () => {
    throw new Error('stuck');
  });
  parts.add('socket', slow('socket'));
  await parts.stop((name, error) => steps.push(`${name}: ${String(error)}`));
  expect(steps).toEqual([
    'socket stops',
    'socket stopped',
    'drain: Error: stuck',
    'store stops',
    'store stopped',
  ]);
  await parts.stop((name) => steps.push(name));
  expect(steps).toHaveLength(5);
});
