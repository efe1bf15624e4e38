import { expect, test } from 'vitest';
import { withKnobs } from '../../drain/testing.ts';
import type { AskModel } from '../../drain/writer.ts';
import { modelServer, writerWorld } from '../../drain/writers/llm/testing.ts';
import { learn } from '../../knowledge/revise.ts';
import { learningsOfType } from '../../store/learnings/find.ts';
import { searchHistory } from '../../store/learnings/history-log.ts';
import { ingestCaptured } from '../../testing/captured.ts';
import { SessionEvents } from '../../testing/session-events.ts';
import { tempStore } from '../../testing/temp-home.ts';
import { consolidate } from './consolidate.ts';
import { HOUR } from '../../platform/time.ts';

const session = () =>
  new SessionEvents()
    .human('Build the shop. The API of this project uses OAuth2, Alice leads it')
    .runs('npm run build', 'built')
    .runs('npm test', '1 passed')
    .agent('Done.')
    .human('Deploy the preview')
    .runs('./deploy', 'Error: no credentials', { failed: true })
    .agent('It failed.');

/** A store that read the session, at that many hours after it. */
function world(hoursAfter: number, ask?: (store: ReturnType<typeof tempStore>) => AskModel) {
  const store = tempStore();
  const captured = session().noticedToTheEnd({});
  ingestCaptured(store, captured);
  const last = Math.max(...captured.effects.map(({ at }) => at));
  store.tick(last + hoursAfter * HOUR - store.now());
  const parts = {
    store,
    keep: (note: Parameters<typeof learn>[1], reason: string) => learn(store, note, reason, 'test'),
    resolver: () => withKnobs({}),
    ask: ask?.(store) ?? (() => Promise.resolve(null)),
  };
  const history = () => searchHistory(store.db, { query: '', limit: 10 }).map(({ text }) => text);
  const facts = () =>
    learningsOfType(store.db, { type: 'fact' }).map(({ title, category, status }) => [
      title,
      category,
      status,
    ]);
  return { store, parts, history, facts };
}

test('a session that is over becomes one entry of the history, once; a fact stated in it waits, and so does one that goes on', async () => {
  const early = world(0.1);
  expect([await consolidate(early.parts), early.history()]).toEqual([0, []]);
  const { parts, history, facts } = world(1);
  expect([await consolidate(parts), await consolidate(parts)]).toEqual([1, 0]);
  expect(history()).toEqual([
    'Session: Build the shop. The API of this project uses OAuth2, Alice leads it; Deploy the preview — 1 of 2 failed',
  ]);
  expect(facts()).toEqual([['The API of this project uses OAuth2, Alice leads it', 'project', 'candidate']]);
});

test('the model of the writer sums it up, and only facts in the person’s own words are kept', async () => {
  const fact = (text: string, quote: string) => ({ text, category: 'project', quote });
  const server = await modelServer({
    says: JSON.stringify({
      summary: 'The shop was built; its preview could not be deployed.',
      facts: [
        fact('The API of the shop uses OAuth2.', 'the API of this project uses  OAuth2'),
        fact('Bob leads the shop.', 'Bob leads it, as always'),
      ],
    }),
  });
  const knobs = { REFLECT_WRITER: 'openai', REFLECT_WRITER_ENDPOINT: `${server.url}/v1` };
  const { parts, history, facts } = world(1, (store) => writerWorld({ store, knobs }).writer.ask);
  await consolidate(parts);
  expect(history()).toContain('Session: The shop was built; its preview could not be deployed.');
  expect(facts()).toEqual([['The API of the shop uses OAuth2.', 'project', 'active']]);
  expect(server.prompts()[0]).toContain('Alice leads it');
});

test('while the model is held back a session waits for it, but no longer than a day', async () => {
  const server = await modelServer({ says: JSON.stringify({ summary: 'The shop was built.', facts: [] }) });
  const knobs = {
    REFLECT_WRITER: 'openai',
    REFLECT_WRITER_ENDPOINT: `${server.url}/v1`,
    REFLECT_WRITER_RUNS_PER_DAY: 0,
  };
  const { store, parts, history } = world(1, (given) => writerWorld({ store: given, knobs }).writer.ask);
  expect([await consolidate(parts), history()]).toEqual([0, []]);
  store.tick(24 * HOUR);
  expect(await consolidate(parts)).toBe(1);
  expect(history()).toEqual([expect.stringContaining('Session: Build the shop.')]);
  expect(server.requests).toEqual([]);
});
