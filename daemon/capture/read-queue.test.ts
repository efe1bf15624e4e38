import { expect, test } from 'vitest';
import { ReadQueue } from './read-queue.ts';

const waiting = (mtimeMs: number) => ({ mtimeMs, bytes: 1 });

function inOrder(queue: ReadQueue): string[] {
  const order: string[] = [];
  for (let path = queue.next(false); path; path = queue.next(false)) {
    order.push(path);
    queue.delete(path);
  }
  return order;
}

test('what is live comes first, then the newest', () => {
  const queue = new ReadQueue();
  queue.add('old', waiting(1), false);
  queue.add('new', waiting(3), false);
  queue.add('middle', waiting(2), false);
  queue.add('live', waiting(0), true);
  expect(queue.size).toBe(4);
  expect(inOrder(queue)).toEqual(['live', 'new', 'middle', 'old']);
});

test('a file found again while it waits keeps its place, and one that becomes live moves to the front', () => {
  const queue = new ReadQueue();
  queue.add('a', waiting(1), false);
  queue.add('b', waiting(2), false);
  queue.add('a', waiting(1), false);
  queue.add('a', waiting(1), true);
  queue.add('a', waiting(1), false);
  expect(inOrder(queue)).toEqual(['a', 'b']);
});

test('while the folders are looked through only what is live is read', () => {
  const queue = new ReadQueue();
  queue.add('old', waiting(1), false);
  expect(queue.next(true)).toBeUndefined();
  queue.add('live', waiting(1), true);
  expect(queue.next(true)).toBe('live');
});
