import { describe, expect, test } from 'vitest';
import { beliefRevision } from '../knowledge/revise.ts';
import { DAY } from '../platform/time.ts';
import { listLearnings } from '../store/learnings/list.ts';
import { chunkDedup, chunkHash } from './chunk-dedup.ts';
import { drainWorld } from './testing.ts';

const WORDS = "no, don't mock the database in these tests";
const TWICE = WORDS.replace(' mock', '   mock'); // copied from elsewhere

type World = ReturnType<typeof drainWorld>;

/** Words this much alike would also be known again by their title (S5); here only their chunk can do it. */
const world = (knobs: Record<string, boolean | number> = {}) =>
  drainWorld({ knobs: { [beliefRevision.switch.name]: false, ...knobs } });

const learnings = ({ store }: World) =>
  listLearnings(store.db, { offset: 0, limit: 50 }).items.map(({ title, proofCount }) => ({
    title,
    proofCount,
  }));
const states = (world: World) => world.moments().map(({ state }) => state);
const LEARNED = "Don't mock the database in these tests";

/** Said twice; the agent answered differently, so each time would make a note of its own. */
async function saidTwice(there: World, later: Parameters<World['say']>[1] = {}): Promise<World> {
  there.say(WORDS, { reply: 'You are right.' });
  there.say(TWICE, { reply: 'I will always use the real database.', transcript: 'another.jsonl', ...later });
  await there.drain.run();
  return there;
}

describe('S7 chunk-hash dedup', () => {
  test('S7: words said again are one more proof of what was learned from them; switched off, they make a second note', async () => {
    const on = await saidTwice(world());
    expect(learnings(on)).toEqual([{ title: LEARNED, proofCount: 2 }]);
    expect(states(on)).toEqual(['kept', 'duplicate']);
    expect(on.moments()[1]?.learningId).toBe(on.moments()[0]?.learningId);

    const off = await saidTwice(world({ [chunkDedup.switch.name]: false }));
    expect(learnings(off)).toEqual([
      { title: LEARNED, proofCount: 1 },
      { title: LEARNED, proofCount: 1 },
    ]);
    expect(states(off)).toEqual(['kept', 'kept']);
  });

  test('S7: after 30 days the words count as new, and the setting says after how many', async () => {
    const later = (days: number) => ({ at: Date.UTC(2026, 5, 15, 12) + days * DAY });
    expect(states(await saidTwice(world(), later(30)))).toEqual(['kept', 'duplicate']);
    expect(states(await saidTwice(world(), later(31)))).toEqual(['kept', 'kept']);
    const longer = { [chunkDedup.knobs.ttlDays.name]: 31 };
    expect(states(await saidTwice(world(longer), later(31)))).toEqual(['kept', 'duplicate']);
  });

  test('S7: an older session that is read later is recognised too', async () => {
    const there = world();
    there.say(WORDS, { reply: 'You are right.' });
    await there.drain.run();
    there.say(WORDS, {
      reply: 'I will always use the real database.',
      at: Date.UTC(2026, 5, 1),
      transcript: 'older.jsonl',
    });
    await there.drain.run();
    expect(learnings(there)).toEqual([{ title: LEARNED, proofCount: 2 }]);
  });

  test('S7: in another project the same words are a lesson of that project', async () => {
    const billing = { project: { id: 'acme/billing', name: 'billing', root: '' } };
    expect(states(await saidTwice(world(), billing))).toEqual(['kept', 'kept']);
  });

  test('S7: a chunk is its words, whatever the spacing', () => {
    expect(chunkHash(WORDS)).toBe(chunkHash(`  ${TWICE}\n`));
    expect(chunkHash(WORDS)).not.toBe(chunkHash(`${WORDS}!`));
  });
});
