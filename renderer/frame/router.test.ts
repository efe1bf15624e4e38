import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Router } from './router.svelte.ts';

const address = { hash: '' };
beforeEach(() => {
  address.hash = '#/learnings';
  vi.stubGlobal('location', address);
  vi.stubGlobal('history', {
    state: null,
    replaceState: (_state: unknown, _title: string, hash: string) => (address.hash = hash),
  });
});

afterEach(() => vi.unstubAllGlobals());

test('the address follows the selection of the open page', () => {
  const router = new Router();
  router.show('learnings', 'use-pnpm');
  expect([address.hash, router.route.id]).toEqual(['#/learnings/use-pnpm', 'use-pnpm']);
});

test.each(['#/settings?tab=privacy', '#/learnings/round-per-line'])(
  'a list that loads while a link to %s is followed does not lead back',
  (hash) => {
    const router = new Router();
    address.hash = hash; // its event has not come yet
    router.show('learnings', 'use-pnpm');
    expect(address.hash).toBe(hash);
  },
);
