import { expect, test } from 'vitest';
import { bringIntoView, fit, nodeAt, towards, zoomAt } from './view.ts';

const SIZE = { width: 800, height: 600 };
const positions = Float32Array.from([0, 0, 100, 0, -100, 0, 70, 70]);
const all = new Uint8Array(4).fill(1);
const radii = new Float32Array(4).fill(4);

test('all that is visible fits, and what is hidden does not count', () => {
  const far = Float32Array.from([...positions.slice(0, 6), 9_000, 9_000]);
  const view = fit(far, all, SIZE);
  expect(9_000 * view.scale + view.x).toBeLessThanOrEqual(SIZE.width);
  expect(fit(far, Uint8Array.from([1, 1, 1, 0]), SIZE).scale).toBeGreaterThan(view.scale);
});

test('a graph of nothing has a view all the same', () => {
  expect(fit(new Float32Array(), new Uint8Array(), SIZE)).toEqual({ scale: 1, x: 400, y: 300 });
});

test('zooming leaves what is under the pointer where it is', () => {
  const view = zoomAt({ scale: 1, x: 30, y: 40 }, 2, 130, 240);
  expect([100 * view.scale + view.x, 200 * view.scale + view.y]).toEqual([130, 240]);
  expect(zoomAt(view, 1_000, 0, 0).scale).toBe(6);
});

test('the nearest visible node is hit, and empty space is not', () => {
  const view = { scale: 1, x: 0, y: 0 };
  expect(nodeAt(103, 2, view, positions, radii, all)).toBe(1);
  expect(nodeAt(50, -50, view, positions, radii, all)).toBe(-1);
  expect(nodeAt(100, 0, view, positions, radii, Uint8Array.from([1, 0, 1, 1]))).toBe(-1);
});

test('an arrow key goes to the neighbour that lies that way, or nowhere', () => {
  expect(towards('ArrowRight', 0, [1, 2, 3], positions)).toBe(1);
  expect(towards('ArrowLeft', 0, [1, 2, 3], positions)).toBe(2);
  expect(towards('ArrowDown', 0, [1, 2, 3], positions)).toBe(3);
  expect(towards('ArrowUp', 0, [1, 2, 3], positions)).toBe(-1);
});

test('a node outside is brought in, one in sight moves nothing', () => {
  const view = { scale: 1, x: 400, y: 300 };
  expect(bringIntoView(view, 0, 0, SIZE)).toEqual(view);
  const moved = bringIntoView(view, 900, 0, SIZE);
  expect(900 + moved.x).toBeLessThan(SIZE.width);
});
