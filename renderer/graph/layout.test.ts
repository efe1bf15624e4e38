import { expect, test } from 'vitest';
import { ForceLayout } from './layout.ts';

function settled(count: number, links: number[], before: number[] = []): ForceLayout {
  const layout = new ForceLayout({
    count,
    links: Uint32Array.from(links),
    before: Float32Array.from(before),
  });
  while (!layout.settled) layout.step();
  return layout;
}

const distance = ({ positions }: ForceLayout, a: number, b: number) =>
  Math.hypot(positions[a * 2]! - positions[b * 2]!, positions[a * 2 + 1]! - positions[b * 2 + 1]!);

test('what is linked ends up closer than what is not', () => {
  // Two triangles that nothing ties together.
  const layout = settled(6, [0, 1, 1, 2, 2, 0, 3, 4, 4, 5, 5, 3]);
  const within = Math.max(
    distance(layout, 0, 1),
    distance(layout, 1, 2),
    distance(layout, 3, 4),
    distance(layout, 4, 5),
  );
  expect(within).toBeLessThan(
    Math.min(...[0, 1, 2].flatMap((a) => [3, 4, 5].map((b) => distance(layout, a, b)))),
  );
});

test('the same graph gives the same picture', () => {
  const links = Array.from({ length: 80 }, (_, index) => [index % 40, (index * 7) % 40]).flat();
  expect(settled(40, links).positions).toEqual(settled(40, links).positions);
});

test('nodes on one spot do no harm', () => {
  const layout = settled(
    50,
    [],
    Array.from({ length: 100 }, () => 3),
  );
  expect([...layout.positions].every(Number.isFinite)).toBe(true);
  const nearly = settled(2, [], [0, 0, 1e-9, 0]);
  expect([...nearly.positions].every(Number.isFinite)).toBe(true);
});

test('a thousand nodes do not overlap by much', () => {
  const links = Array.from({ length: 999 }, (_, index) => [index + 1, Math.floor(index / 3)]).flat();
  const layout = settled(1_000, links);
  const crowded = Array.from({ length: 1_000 }, (_, a) => a).filter((a) =>
    Array.from({ length: a }, (_, b) => b).some((b) => distance(layout, a, b) < 2),
  );
  expect(crowded.length).toBeLessThan(20);
});

test('a graph of nothing and of one are no trouble', () => {
  expect(settled(0, []).positions).toHaveLength(0);
  expect([...settled(1, []).positions].every(Number.isFinite)).toBe(true);
});
