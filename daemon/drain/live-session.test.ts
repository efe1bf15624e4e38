import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clean } from '../capture/clean.ts';
import { type Stretch, TranscriptReader } from '../capture/reader.ts';
import { listLearnings } from '../store/learnings/list.ts';
import { getLearning, noteOf } from '../store/learnings/learnings.ts';
import { ClaudeSession } from '../testing/claude-session.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { claudeCode } from '../transcripts/claude-code.ts';
import { ingestBatch } from './ingest.ts';
import { drainWorld } from './testing.ts';

const SILENCE = 300_000; // ms
const SUMMARY = 'Totals must stay integers in cents, because rounding a float loses money on refunds';

const session = new ClaudeSession({ cwd: '/home/ada/shop' });
/** One turn with a correction whose best words come last, and the turn after it. */
const FIRST_TURN = [
  session.human('Add the totals'),
  session.agent("Done, I've added the totals and rounded them."),
  session.human("why's that rounded?"),
  session.agent("You're right."),
  session.toolCall('Edit', { file_path: 'totals.ts' }, 'toolu_1'),
  session.toolResult('toolu_1', 'ok'),
  ...['Now the callers.', 'One caller is left.', 'The tests come next.'].map((words) => session.agent(words)),
  session.agent(`${SUMMARY}.`),
];
const SECOND_TURN = [session.human('thanks, now commit it'), session.agent('It is committed.')];

/** Lives through a session: each record is read, stored and drained before the next is written. */
function following() {
  const world = drainWorld();
  const path = join(tempFolder(), 'session.jsonl');
  writeFileSync(path, '');
  const reader = new TranscriptReader(claudeCode, path, null, (knob) => knob.default);
  const take = async (stretch: Stretch | null) => {
    if (stretch) ingestBatch(world.store, clean(stretch), { settleMs: SILENCE, sessionsNeeded: 1 });
    await world.drain.run();
  };
  return {
    ...world,
    async hear(records: string[]): Promise<void> {
      for (const record of records) {
        appendFileSync(path, record);
        await take(reader.read());
        world.store.tick(SILENCE - 1); // nearly silence
      }
    },
    stop: () => take(reader.turnEnded()),
    end: () => take(reader.rest()),
    notes: () =>
      listLearnings(world.store.db, { offset: 0, limit: 10 }).items.map(({ id }) => {
        const { provenance: _, ...note } = noteOf(getLearning(world.store.db, id)); // each reads a file of its own
        return note;
      }),
  };
}

test('a moment waits for the end of its turn, so that the summary can word it', async () => {
  const live = following();
  await live.hear(FIRST_TURN);
  expect(live.moments()).toMatchObject([{ state: 'queued' }]);
  await live.stop();
  expect(live.notes()).toMatchObject([{ title: SUMMARY }]);
});

test('a session gives the same notes live, by its next prompt alone, and read as a whole', async () => {
  const [hooked, unhooked, replayed] = [following(), following(), following()];
  await hooked.hear(FIRST_TURN);
  await hooked.stop();
  await hooked.hear(SECOND_TURN);
  await unhooked.hear([...FIRST_TURN, ...SECOND_TURN]);
  await replayed.hear([[...FIRST_TURN, ...SECOND_TURN].join('')]);
  expect(unhooked.notes()).toEqual(hooked.notes());
  for (const each of [hooked, unhooked, replayed]) await each.end();
  expect(replayed.notes()).toEqual(hooked.notes());
  expect(unhooked.notes()).toEqual(hooked.notes());
});

test('without a sign of its end, a turn is over after silence', async () => {
  const live = following();
  await live.hear(FIRST_TURN);
  await live.drain.run();
  expect(live.notes()).toEqual([]);
  live.store.tick(1);
  await live.drain.run();
  expect(live.notes()).toHaveLength(1);
});
