import { describe, expect, test } from 'vitest';
import { beliefRevision } from '../knowledge/revise.ts';
import { listLearnings } from '../store/learnings/list.ts';
import { chunkDedup, chunkHash } from './chunk-dedup.ts';
import { drainWorld } from './testing.ts';

const DAY = 86_400_000; // ms
const WORDS = "no, don't mock the database in these tests";
const TWICE = WORDS.replace(' mock', '   mock'); // copied from elsewhere

/** Words this much alike would be known again by their title too, which is not what is proven here. */
const BY_CHUNK_ALONE = { [beliefRevision.switch.name]: false };

type World = ReturnType<typeof drainWorld>;
const learnings = ({ store }: World) =>
  listLearnings(store.db, { offset: 0, limit: 50 }).items.map(({ title, proofCount }) => ({
    title,
    proofCount,
  }));
const states = (world: World) => world.moments().map(({ state }) => state);
const LEARNED = "Don't mock the database in these tests";

/** Said twice; the agent answered differently, so each time would make a note of its own. */
async function saidTwice(world: World, later: Parameters<World['say']>[1] = {}): Promise<World> {
  world.say(WORDS, { reply: 'You are right.' });
  world.say(TWICE, { reply: 'I will always use the real database.', transcript: 'another.jsonl', ...later });
  await world.drain.run();
  return world;
}

describe('S7 chunk-hash dedup', () => {
  test('S7: words said again are one more proof of what was learned from them', async () => {
    const world = await saidTwice(drainWorld());
    expect(learnings(world)).toEqual([{ title: LEARNED, proofCount: 2 }]);
    expect(states(world)).toEqual(['kept', 'duplicate']);
    expect(world.moments()[1]?.learningId).toBe(world.moments()[0]?.learningId);
  });

  test('S7: switched off, they are written down a second time (counterfactual)', async () => {
    const world = await saidTwice(
      drainWorld({ knobs: { ...BY_CHUNK_ALONE, [chunkDedup.switch.name]: false } }),
    );
    expect(learnings(world)).toEqual([
      { title: LEARNED, proofCount: 1 },
      { title: LEARNED, proofCount: 1 },
    ]);
    expect(states(world)).toEqual(['kept', 'kept']);
  });

  test('S7: after its days a chunk is forgotten, and the knob says how many', async () => {
    const later = { at: Date.UTC(2026, 5, 15, 12) + 31 * DAY };
    expect(states(await saidTwice(drainWorld({ knobs: BY_CHUNK_ALONE }), later))).toEqual(['kept', 'kept']);
    expect(
      states(
        await saidTwice(
          drainWorld({ knobs: { ...BY_CHUNK_ALONE, [chunkDedup.knobs.ttlDays.name]: 31 } }),
          later,
        ),
      ),
    ).toEqual(['kept', 'duplicate']);
  });

  test('S7: a session that is read later is known again too, though it is older', async () => {
    const world = drainWorld();
    world.say(WORDS);
    await world.drain.run();
    world.say(WORDS, { at: Date.UTC(2026, 5, 1), transcript: 'older.jsonl' });
    await world.drain.run();
    expect(learnings(world)).toEqual([{ title: LEARNED, proofCount: 2 }]);
  });

  test('S7: in another project the same words are a lesson of that project', async () => {
    expect(
      states(
        await saidTwice(drainWorld({ knobs: BY_CHUNK_ALONE }), {
          project: { id: 'acme/billing', name: 'billing', root: '' },
        }),
      ),
    ).toEqual(['kept', 'kept']);
  });

  test('S7: a chunk is its words, whatever the spacing', () => {
    expect(chunkHash(WORDS)).toBe(chunkHash(`  ${TWICE}\n`));
    expect(chunkHash(WORDS)).not.toBe(chunkHash(`${WORDS}!`));
  });
});
