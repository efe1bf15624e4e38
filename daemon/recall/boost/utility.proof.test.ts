import { expect, test } from 'vitest';
import { proof } from '../../testing/proof.ts';
import { world } from '../../testing/world.ts';
import { utility } from './utility.ts';

const words = { RECALL_VECTOR_ARM: false, RECALL_MMR: false };
const failed = { title: 'Retry the upload in parts, a', scope: 'global' as const, signals: { qValue: 0.2 } };
const unjudged = { title: 'Retry the upload in parts, b', scope: 'global' as const };
const served = { title: 'Retry the upload in parts, c', scope: 'global' as const, signals: { qValue: 0.9 } };
const ask = { query: 'retry upload parts', knobs: words };

proof(utility, 'prefers what has served well, and puts what has failed last', {
  given: [failed, unjudged, served],
  ask,
  off: [failed.title, unjudged.title, served.title],
  on: [served.title, unjudged.title, failed.title],
});

test('a utility of 0.5, where every learning begins, changes no score', async () => {
  const { recall } = await world([unjudged]);
  const score = async (knobs: object) =>
    (await recall({ ...ask, knobs: { ...words, ...knobs } })).hits[0]?.score;
  expect(await score({})).toBe(await score({ RECALL_UTILITY_BOOST: false }));
});

test('it moves a score by half its weight at most: what fits better stays first', async () => {
  const fits = {
    title: 'Retry the upload in parts with a checksum',
    scope: 'global' as const,
    signals: { qValue: 0 },
  };
  const other = { title: 'Uploads are counted', scope: 'global' as const, signals: { qValue: 1 } };
  const { recall } = await world([fits, other]);
  const { hits } = await recall({ query: 'retry upload parts checksum', knobs: words });
  expect(hits.map(({ learning }) => learning.title)).toEqual([fits.title, other.title]);
});
