import { expect, test } from 'vitest';
import { Zoom } from './zoom.svelte.ts';

test('the size goes up and down in steps, and stays within reason', () => {
  const zoom = new Zoom();
  zoom.step(1);
  expect(zoom.level).toBe(1.1);
  for (let times = 0; times < 20; times++) zoom.step(1);
  expect(zoom.level).toBe(2);
  for (let times = 0; times < 20; times++) zoom.step(-1);
  expect(zoom.level).toBe(0.8);
  zoom.set(1);
  expect(zoom.level).toBe(1);
});
