import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

test('the time left is judged by the pace since the queue was longest', () => {
  const pace = new Pace();
  expect(pace.of(100, 0)).toEqual({ share: 0, minutes: null });
  expect(pace.of(400, 1_000)).toEqual({ share: 0, minutes: null });
  expect(pace.of(399, 2_000).minutes, 'too early to tell').toBeNull();
  expect(pace.of(200, 61_000)).toEqual({ share: 0.5, minutes: 1 });
  expect(pace.of(500, 70_000)).toEqual({ share: 0, minutes: null });
});
