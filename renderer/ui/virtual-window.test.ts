import { describe, expect, test } from 'vitest';
import { anchoredScrollTop, scrollTopToShow, visibleRange } from './virtual-window.ts';

describe('visibleRange', () => {
  test('draws what is in view and a little more', () => {
    expect(visibleRange(4_400, 440, 44, 10_000)).toEqual({ first: 94, end: 116 });
  });

  test('stays inside the list at both ends', () => {
    expect(visibleRange(0, 440, 44, 5)).toEqual({ first: 0, end: 5 });
    expect(visibleRange(0, 440, 44, 0)).toEqual({ first: 0, end: 0 });
  });

  test('draws nothing outside when the list became shorter than the scroll position', () => {
    const { first, end } = visibleRange(9_000, 440, 44, 3);
    expect(end).toBe(3);
    expect(first).toBeLessThanOrEqual(end);
  });
});

describe('scrollTopToShow', () => {
  test('does not move for a row already in view', () => {
    expect(scrollTopToShow(3, 0, 440, 44)).toBe(0);
  });

  test('moves just enough, up or down', () => {
    expect(scrollTopToShow(2, 200, 440, 44)).toBe(88);
    expect(scrollTopToShow(10, 0, 440, 44)).toBe(44);
  });

  test('puts a row far away in the middle', () => {
    expect(scrollTopToShow(100, 0, 440, 44)).toBe(4_400 - 198);
    expect(scrollTopToShow(2, 4_400, 440, 44)).toBe(0);
  });
});

describe('anchoredScrollTop', () => {
  test('follows the row being read when rows arrive above it', () => {
    expect(anchoredScrollTop(880, 44, 20, 23)).toBe(880 + 3 * 44);
  });

  test('lets new rows show at the top of the list', () => {
    expect(anchoredScrollTop(0, 44, 0, 1)).toBe(0);
  });

  test('stays when the row has gone', () => {
    expect(anchoredScrollTop(880, 44, 20, -1)).toBe(880);
  });
});
