import { describe, expect, test } from 'vitest';
import { drainWorld, withKnobs } from '../drain/testing.ts';
import type { Writer } from '../drain/writer.ts';
import { sharedInference } from '../inference/testing.ts';
import { silentLog } from '../platform/log.ts';
import { historyOf } from '../store/learnings/history.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { listLearnings } from '../store/learnings/list.ts';
import { tempStore } from '../testing/temp-home.ts';
import { undo } from './revise.ts';
import { recurrence } from './same-meaning.ts';
import { preview } from './twins.ts';
import { VectorIndex } from './vector-index.ts';

/** Writes the quote as it is, so that the words of a note are those of its test. */
const verbatim: Writer = {
  name: 'verbatim',
  write: async ({ quote }) => ({
    title: quote,
    rule: quote,
    tags: ['x'],
    category: 'general',
    confidence: 0.5,
  }),
};

/** Notes are candidates below a bar that none of these reaches; `again` says something in another session. */
async function world({ meaning = false, knobs = {} } = {}) {
  const store = tempStore();
  const all = { REFLECT_LEARNING_BAR: 0.999, REFLECT_VALIDATE_NOTES: false, ...knobs };
  const inference = sharedInference('');
  if (meaning) await inference.refresh();
  const index = new VectorIndex(store.db, inference, 'embedder', silentLog);
  const fail = (error: unknown) => {
    throw error;
  };
  const drained = drainWorld({
    store,
    writer: verbatim,
    knobs: all,
    ...(meaning ? { preview: (note) => preview(store, inference, note, withKnobs(all), fail) } : {}),
  });
  const say = async (quote: string, session: string, more = {}) => {
    drained.say(quote, { transcript: session, score: 0.4, ...more });
    await drained.drain.run();
    if (meaning) await index.fill();
  };
  const notes = () =>
    listLearnings(store.db, { offset: 0, limit: 50 }).items.map(({ title, status, proofCount }) => [
      status,
      proofCount,
      title,
    ]);
  return { ...drained, store, say, notes, states: () => drained.moments().map(({ state }) => state) };
}

const PNPM = 'Install packages with pnpm';
const SAME_WORDS = 'Install the packages with pnpm!';

describe('a lesson that another session says again', () => {
  test('in the same words makes the candidate a learning; switched off, it waits on (counterfactual)', async () => {
    const on = await world();
    await on.say(PNPM, 's1');
    expect(on.states()).toEqual(['candidate']);
    await on.say(SAME_WORDS, 's2');
    expect(on.notes()).toEqual([['active', 2, expect.stringContaining('pnpm')]]);
    expect(on.states()).toEqual(['kept', 'duplicate']);

    const off = await world({ knobs: { [recurrence.switch.name]: false } });
    await off.say(PNPM, 's1');
    await off.say(SAME_WORDS, 's2');
    expect(off.notes().map(([status]) => status)).toEqual(['candidate', 'candidate']);
  });

  test('word for word does so too, but a copy of the session does not', async () => {
    const { say, notes, store } = await world();
    await say(PNPM, 's1', { at: store.now() });
    await say(PNPM, 'fork of s1', { at: store.now() });
    expect(notes()).toEqual([['candidate', 2, PNPM]]);
    await say(PNPM, 's2', { at: store.now() + 60_000 });
    expect(notes()).toEqual([['active', 3, PNPM]]);
  });

  test('twice in one session stays one candidate', async () => {
    const { say, notes } = await world();
    await say(PNPM, 's1');
    await say(SAME_WORDS, 's1');
    expect(notes()).toEqual([['candidate', 2, expect.stringContaining('pnpm')]]);
  });

  test('stays a candidate if it is a one-off request, which people repeat too', async () => {
    const { say, notes } = await world();
    await say('Commit and push', 's1');
    await say('Commit and push!', 's2');
    await say('Commit and push', 's3');
    expect(notes()).toEqual([['candidate', 3, 'Commit and push']]);
  });

  test('in another project is a lesson of that project', async () => {
    const { say, notes } = await world();
    await say(PNPM, 's1');
    await say(SAME_WORDS, 's2', { project: { id: 'acme/site', name: 'site', root: '' } });
    expect(notes().map(([status]) => status)).toEqual(['candidate', 'candidate']);
  });

  test('becomes a learning as one change, with its reason, that can be undone', async () => {
    const { say, notes, store, moments } = await world();
    await say(PNPM, 's1');
    await say(SAME_WORDS, 's2');
    const [promoted] = historyOf(store.db, moments()[0]?.learningId ?? '');
    expect(promoted).toMatchObject({
      kind: 'promote',
      reason: expect.stringContaining('another session') as string,
    });
    undo(store, promoted?.id, 'person');
    expect(notes()).toEqual([['candidate', 1, PNPM]]);
  });
});

describe('by its meaning', () => {
  const SEPARATE = 'Separate changes are committed as individual commits.';
  const IN_OTHER_WORDS = 'Separate logical changes go into separate commits.';

  test('it is known in other words, and the better ones of the two stay', async () => {
    const { say, notes, store, moments } = await world({ meaning: true });
    await say(SEPARATE, 's1', { score: 0.2 });
    await say(IN_OTHER_WORDS, 's2', { score: 0.6 });
    expect(notes()).toEqual([['active', 2, IN_OTHER_WORDS]]);
    const learning = getLearning(store.db, moments()[0]?.learningId ?? '');
    expect(learning.provenance.session).toBe('s2');
  });

  test('a candidate that says what a learning says is a proof of it', async () => {
    const { say, notes } = await world({ meaning: true, knobs: { REFLECT_LEARNING_BAR: 0.5 } });
    await say(SEPARATE, 's1', { score: 1 });
    await say(IN_OTHER_WORDS, 's2', { score: 0 });
    expect(notes()).toEqual([['active', 2, SEPARATE]]);
  });

  test('the opposite, and what merely has the same subject, is another lesson', async () => {
    const { say, notes } = await world({ meaning: true });
    await say('Telemetry is opt-in: an unset telemetry setting means disabled', 's1');
    await say('Telemetry is enabled by default and turned off only when the user opts out', 's2');
    await say('golangci-lint runs on packages, not on single files', 's3');
    await say('golangci-lint v2 knows neither --disable-all nor the linter deadcode', 's4');
    expect(notes().map(([status]) => status)).toEqual(Array(4).fill('candidate'));
  });
});
