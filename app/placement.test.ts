import { expect, test } from 'vitest';
import { isReachable, quickSearchPlace } from './placement.ts';

const laptop = { x: 0, y: 0, width: 1440, height: 900 };
const monitor = { x: 1440, y: -200, width: 2560, height: 1440 };

test('a window on a screen that is still there keeps its place', () => {
  expect(isReachable({ x: 1600, y: -100, width: 1200, height: 800 }, [laptop, monitor])).toBe(true);
});

test('a window on an unplugged screen, or above the top edge, does not', () => {
  expect(isReachable({ x: 1600, y: -100, width: 1200, height: 800 }, [laptop])).toBe(false);
  expect(isReachable({ x: 100, y: -700, width: 1200, height: 800 }, [laptop])).toBe(false);
  expect(isReachable({ x: 1400, y: 100, width: 1200, height: 800 }, [laptop])).toBe(false);
});

const SIZE = { width: 640, height: 440 };

test('quick-search opens centred on the screen in use', () => {
  expect(quickSearchPlace(SIZE, monitor, null)).toEqual({ x: 2400, y: 88 });
});

test('once it was put elsewhere it opens there, on whichever screen is in use', () => {
  expect(quickSearchPlace(SIZE, laptop, { x: 100, y: 50 })).toEqual({ x: 100, y: 50 });
  expect(quickSearchPlace(SIZE, monitor, { x: 100, y: 50 })).toEqual({ x: 1540, y: -150 });
});

test('a place that a smaller screen has not is moved onto it', () => {
  expect(quickSearchPlace(SIZE, laptop, { x: 1900, y: 1_300 })).toEqual({ x: 800, y: 460 });
  expect(quickSearchPlace(SIZE, { x: 0, y: 0, width: 600, height: 400 }, null)).toEqual({ x: 0, y: 0 });
});
