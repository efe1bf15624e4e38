import { expect, test } from 'vitest';
import { parseRoute, routeHash } from './route.ts';

test('a learning has its own address', () => {
  expect(parseRoute('#/learnings/regenerate-grpc-1a2b')).toEqual({
    page: 'learnings',
    id: 'regenerate-grpc-1a2b',
    query: {},
  });
});

test('an address can carry a question', () => {
  expect(parseRoute('#/lab?q=grpc%20clients')).toEqual({
    page: 'lab',
    id: null,
    query: { q: 'grpc clients' },
  });
});

test.each(['', '#', '#/', '#/nowhere/x', '#/../etc', '#javascript:alert(1)'])(
  '%j leads to the main page',
  (hash) => {
    expect(parseRoute(hash)).toMatchObject({ page: 'learnings', id: null });
  },
);

test('a broken escape does not break the page', () => {
  expect(parseRoute('#/learnings/%E0%A4%A')).toMatchObject({ page: 'learnings', id: '%E0%A4%A' });
});

test('what is written can be read again', () => {
  expect(parseRoute(routeHash('lab', 'a/b ü', { q: 'x & y?' }))).toEqual({
    page: 'lab',
    id: 'a/b ü',
    query: { q: 'x & y?' },
  });
});

test('the address of the former Health page leads to Settings › Status', () => {
  expect(parseRoute('#/health')).toEqual({ page: 'settings', id: null, query: { tab: 'status' } });
});
