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

test('quick-search opens centred on the screen in use', () => {
  expect(quickSearchPlace(640, monitor)).toEqual({ x: 2400, y: 88 });
});
