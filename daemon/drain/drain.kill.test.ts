import { expect, test } from 'vitest';
import { listLearnings } from '../store/learnings/list.ts';
import { runScript } from '../testing/child-script.ts';
import { START, tempFolder, tempStore } from '../testing/temp-home.ts';
import { drainWorld } from './testing.ts';

const MINUTE = 60_000; // ms

/** A queue whose first moment was being written by this many daemons in turn when each was killed. */
async function killedTimes(times: number) {
  const home = tempFolder();
  const before = tempStore(home);
  drainWorld({ store: before }).say("don't mock the database");
  drainWorld({ store: before }).say('never commit generated files', { key: 'another', at: START + 1 });
  before.close();
  for (let at = 0; at < times; at++)
    expect(await runScript('drain-and-die.ts', [home, String(START + 2 * at * MINUTE)])).toEqual({
      code: null,
      signal: 'SIGKILL',
    });
  const store = tempStore(home);
  store.tick((2 * times + 1) * MINUTE);
  const world = drainWorld({ store });
  await world.drain.run();
  return { moments: world.moments(), total: listLearnings(store.db, { offset: 0, limit: 10 }).total };
}

test('a moment whose daemon was killed twice is written down by the next, once', async () => {
  const { moments, total } = await killedTimes(2);
  expect([moments.map(({ state }) => state), total]).toEqual([['kept', 'kept'], 2]);
});

test('a moment that killed the daemon three times is given up with its reason, and the next gets its turn', async () => {
  const { moments, total } = await killedTimes(3);
  expect(moments).toMatchObject([
    { state: 'failed', error: 'Reflect ended 3 times while this was written down' },
    { state: 'kept' },
  ]);
  expect(total).toBe(1);
});
