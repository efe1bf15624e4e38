import { expect, test } from 'vitest';
import { proof } from '../../testing/proof.ts';
import { world } from '../../testing/world.ts';
import { branch } from './branch.ts';

const shop = 'github.com/acme/shop';
const trunk = { title: 'Checkout totals are integers of cents', project: shop };
const onX = { title: 'Checkout v2 rounds after the discount', project: shop, branch: 'feat/x' };
const onY = { title: 'Checkout retries payment twice', project: shop, branch: 'feat/y' };
const ask = { query: 'checkout', project: shop, branch: 'feat/x', knobs: { RECALL_VECTOR_ARM: false } };

// A6: on feat/x the trunk and feat/x are seen, never what was tried on feat/y.
proof(branch, 'what was learned on feat/y stays out of feat/x', {
  given: [trunk, onX, onY],
  ask,
  on: [onX.title, trunk.title],
  off: [onX.title, trunk.title, onY.title],
  anyOrder: true,
});

test('A6: on the trunk no branch is seen; all-branches unites them; a pinned branch is as good as a checked-out one', async () => {
  const { titles } = await world([trunk, onX, onY]);
  const { branch: _, ...onTrunk } = ask;
  expect(await titles(onTrunk)).toEqual([trunk.title]);
  expect((await titles({ ...onTrunk, allBranches: true })).toSorted()).toEqual(
    [trunk.title, onX.title, onY.title].toSorted(),
  );
  expect((await titles({ ...onTrunk, knobs: { ...ask.knobs, RECALL_BRANCH: 'feat/y' } })).toSorted()).toEqual(
    [onY.title, trunk.title].toSorted(),
  );
});
