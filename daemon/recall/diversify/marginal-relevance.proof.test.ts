import { describe, expect, test } from 'vitest';
import { NO_WEIGHTS } from '../../inference/testing.ts';
import { needs } from '../../testing/needs.ts';
import { proof } from '../../testing/proof.ts';
import { world } from '../../testing/world.ts';
import { marginalRelevance } from './marginal-relevance.ts';

const twins = [
  'Raise worker_connections when nginx answers 502 under load',
  'nginx 502 under load: raise worker_connections',
  'When nginx gives 502 under load, raise its worker_connections',
  'Under load nginx answers 502 until worker_connections is raised',
].map((title) => ({ title, scope: 'global' as const }));
const other = { title: 'Enable upstream keepalive, or nginx answers 502 at scale', scope: 'global' as const };

describe('with the real embedder', () => {
  needs(NO_WEIGHTS);

  const query = 'nginx 502 under load';

  test('R3: the second idea makes the top three instead of a third copy of the first', async () => {
    const { titles } = await world([...twins, other]);
    const recalled = (mmr: boolean) =>
      titles({ query, limit: 3, knobs: { [marginalRelevance.switch.name]: mmr } });
    const [off, on] = [await recalled(false), await recalled(true)];
    expect(off).not.toContain(other.title);
    expect(on).toContain(other.title);
    expect(on[0]).toBe(off[0]);
  });

  proof(marginalRelevance, 'with all of them returned, the other idea stands second', {
    given: [twins[0] ?? other, twins[1] ?? other, other],
    ask: { query, knobs: { RECALL_MMR_LAMBDA: 0.5 } },
    off: [twins[1]?.title ?? '', twins[0]?.title ?? '', other.title],
    on: [twins[1]?.title ?? '', other.title, twins[0]?.title ?? ''],
  });

  test('R3: a copy falls behind another idea, never behind a learning that hardly bears on the question', async () => {
    const noise = [
      'Nginx access logs are rotated weekly', // of the same things, but far behind
      'Load the fonts before the first paint',
      'Sort imports by path',
      'Water the plants',
    ];
    const { titles } = await world([...twins, other, ...noise.map((title) => ({ ...other, title }))]);
    for (const lambda of [0, 0.5, 0.7]) {
      const found = await titles({ query, knobs: { RECALL_MMR_LAMBDA: lambda } });
      expect(found.slice(0, 5).toSorted()).toEqual([...twins, other].map(({ title }) => title).toSorted());
      expect(found.indexOf(other.title)).toBeLessThan(4);
    }
  });

  test('R3: the weight trades relevance against novelty: the lower it is, the earlier the other ideas come', async () => {
    const ideas = [
      other,
      { ...other, title: 'nginx 502 at deploys: drain connections before the old worker stops' },
      { ...other, title: 'Under load the health check of nginx needs its own worker' },
    ];
    const { titles } = await world([...twins, ...ideas]);
    const placesOfIdeas = async (lambda: number) => {
      const found = await titles({ query, knobs: { RECALL_MMR_LAMBDA: lambda } });
      return ideas.map(({ title }) => found.indexOf(title)).toSorted();
    };
    expect(await placesOfIdeas(1)).toEqual([4, 5, 6]);
    expect(await placesOfIdeas(0.8)).toEqual([2, 4, 6]);
    expect(await placesOfIdeas(0.7)).toEqual([2, 3, 4]);
    expect(await placesOfIdeas(0.5)).toEqual([1, 2, 3]);
  });

  test('R3: a weight of 1 is relevance alone', async () => {
    const { titles } = await world([...twins, other]);
    expect(await titles({ query, limit: 3, knobs: { RECALL_MMR_LAMBDA: 1 } })).toEqual(
      await titles({ query, limit: 3, knobs: { RECALL_MMR: false } }),
    );
  });
});
