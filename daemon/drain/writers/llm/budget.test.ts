import { expect, test } from 'vitest';
import { recordRun } from '../../../store/capture/writer-usage.ts';
import { dayOf } from './budget.ts';
import { modelServer, NOTE, SAID, writerWorld } from './testing.ts';

async function world(knobs: Record<string, number>) {
  const server = await modelServer({ says: JSON.stringify(NOTE) });
  return {
    server,
    ...writerWorld({
      knobs: {
        REFLECT_WRITER: 'openai',
        REFLECT_WRITER_ENDPOINT: `${server.url}/v1`,
        REFLECT_WRITER_RUNS_PER_DRAIN: 100,
        ...knobs,
      },
    }),
  };
}

/** Moments of as many sessions, each drained before the next. */
async function noticeMoments(count: number, { say, drain }: Awaited<ReturnType<typeof world>>) {
  for (let moment = 1; moment <= count; moment++) {
    say(`${SAID} for service ${moment}`, { transcript: `${moment}.jsonl` });
    await drain.run();
  }
}

test('in one go a model is asked three times; the other moments follow when they may', async () => {
  const { server, store, moments, drain, ...rest } = await world({ REFLECT_WRITER_RUNS_PER_DRAIN: 3 });
  await noticeMoments(5, { server, store, moments, drain, ...rest });
  expect([server.requests.length, moments().map(({ state }) => state)]).toEqual([
    3,
    ['kept', 'duplicate', 'duplicate', 'queued', 'queued'],
  ]);
  expect(moments()[3]?.error).toBe('waits for the model: a model was asked 3 times just now');
  store.tick(600_001);
  await drain.run();
  expect([server.requests.length, moments().filter(({ state }) => state === 'queued')]).toEqual([5, []]);
});

test('a day has room for so many moments; the next day has room again', async () => {
  const all = await world({ REFLECT_WRITER_RUNS_PER_DAY: 2 });
  await noticeMoments(3, all);
  expect([all.server.requests.length, all.writer.status().held]).toEqual([
    2,
    { why: 'a model was asked 2 times today', until: dayOf(all.store.now()).end },
  ]);
  all.store.tick(dayOf(all.store.now()).end - all.store.now());
  await all.drain.run();
  expect(all.server.requests).toHaveLength(3);
});

test('a day has room for so many tokens', async () => {
  const all = await world({ REFLECT_WRITER_TOKENS_PER_DAY: 2_000 });
  await noticeMoments(3, all);
  expect([all.server.requests.length, all.moments()[2]?.error]).toEqual([
    2,
    "waits for the model: today's 2000 tokens are spent",
  ]);
});

test('asking again about one moment is one run', async () => {
  const all = await world({ REFLECT_WRITER_RUNS_PER_DAY: 1, REFLECT_WRITER_RUNS_PER_DRAIN: 1 });
  const faulty = {
    says: JSON.stringify({ ...NOTE, entities: [{ name: 'Kubernetes', type: 'technology' }] }),
  };
  all.server.script(faulty, { says: JSON.stringify(NOTE) });
  await noticeMoments(1, all);
  expect(all.notes()).toMatchObject([{ title: NOTE.title, validated: true, metadata: { writer: 'openai' } }]);
  expect(all.server.requests).toHaveLength(2);
});

test('a moment that has cost two million tokens is written without a model', async () => {
  const all = await world({});
  recordRun(all.store.db, {
    at: 0,
    writer: 'openai',
    model: '',
    moment: 'signal.correction:1',
    tokensIn: 1_999_999,
    tokensOut: 1,
    costUsd: null,
    ms: 1,
    outcome: 'malformed',
    detail: '',
  });
  await noticeMoments(2, all);
  expect(all.notes().map(({ metadata }) => metadata.because ?? metadata.writer)).toEqual([
    'it has cost too many tokens already',
    'openai',
  ]);
});
