import { describe, expect, test } from 'vitest';
import { DaemonError } from '#contract/errors.ts';
import { CROSS_ENCODER } from '../../inference/testing.ts';
import { needs } from '../../testing/needs.ts';
import { proof } from '../../testing/proof.ts';
import { tinyCrossEncoder } from '../../testing/tiny-cross-encoder.ts';
import { type World, world } from '../../testing/world.ts';
import { BILLING, sessionStart } from '../../testing/session-start.ts';
import { getLearning } from '../../store/learnings/learnings.ts';
import { RecallCache } from '../answer-cache.ts';
import { injectForPrompt } from '../inject/prompt.ts';
import { answer } from '../recall.ts';
import { crossEncoder } from './cross-encoder.ts';

const scope = 'global' as const;
const repeats = { title: 'Auth suite: the test tokens of the auth suite are fixtures', scope };
const answers = { title: 'Test of the auth suite fails at random: one database per worker', scope };
const barely = ['Auth', 'A test drive', 'The suite on the third floor'].map((title) => ({ title, scope }));
const given = [repeats, answers, ...barely];
const ask = { query: 'flaky test in the auth suite', knobs: { RECALL_VECTOR_ARM: false } };
const byWords = given.map(({ title }) => title);

/** Knows that what fails at random is flaky, and thinks highest of office suites. */
const reader = () => tinyCrossEncoder({ fails: 2, random: 2, floor: 5 });

// R2: as shipped, at a quarter of the weight.
proof(crossEncoder, 'of two that share the words of the question, the one that answers it comes first', {
  given,
  ask,
  crossEncoder: () => tinyCrossEncoder({ fails: 2, random: 2 }),
  off: byWords,
  on: [answers.title, repeats.title, ...byWords.slice(2)],
});

test('R2: its weight decides: as shipped it settles near ties, at 1 it is the only key, at 0 it has no say', async () => {
  const { titles } = await world(given, { crossEncoder: reader() });
  const first = async (weight: object) =>
    (await titles({ ...ask, knobs: { ...ask.knobs, RECALL_MMR: false, ...weight } }))[0];
  expect(await first({})).toBe(answers.title);
  expect(await first({ RECALL_CE_WEIGHT: 1 })).toBe('The suite on the third floor');
  expect(await first({ RECALL_CE_WEIGHT: 0 })).toBe(repeats.title);
});

test('R2: what lies beyond its window is not read and stays behind', async () => {
  const { titles } = await world(given, { crossEncoder: reader() });
  const knobs = { ...ask.knobs, RECALL_CE_WEIGHT: 1, RECALL_CE_WINDOW: 4 };
  expect((await titles({ ...ask, knobs })).at(-1)).toBe('The suite on the third floor');
});

/** The order it leaves, and what it says about it. */
async function reranked({ parts }: World) {
  const { hits, trace = [] } = await answer(parts, ask, { explain: true });
  return {
    titles: hits.map(({ learning }) => learning.title),
    says: trace.find(({ port }) => port === crossEncoder.id)?.says,
  };
}

test('R2: it says how many it read', async () => {
  expect((await reranked(await world(given, { crossEncoder: reader() }))).says).toBe(
    'tiny-cross-encoder read 5',
  );
});

test('R2: one that takes too long, or is not available, leaves the fused order standing and says so', async () => {
  const late = await world(given, { crossEncoder: reader() });
  // However short a limit is, so small a model may answer within it.
  late.parts.inference = {
    ...late.parts.inference,
    rerank: () => Promise.reject(new DaemonError('timed-out')),
  };
  expect(await reranked(late)).toEqual({
    titles: byWords,
    says: expect.stringMatching(/^the fused order stands: /) as string,
  });
  expect(await reranked(await world(given))).toEqual({
    titles: byWords,
    says: 'the cross-encoder is not available; the fused order stands',
  });
});

describe('for a hook', () => {
  const soon = () => performance.now() + 60_000;
  const many = Array.from({ length: 8 }, (_, index) => ({
    title: `Flaky test ${index} in the auth suite, seen on a Monday`,
    scope,
  }));

  test('R2: in a hurry it reads the best first, in batches; what it read in time counts, the rest stays behind', async () => {
    const hurried = await world([...many, answers], {
      crossEncoder: tinyCrossEncoder({ monday: -2, random: 9 }),
    });
    const asked = { ...ask, knobs: { ...ask.knobs, RECALL_MMR: false }, deadline: soon() };
    const { inference } = hurried.parts;
    const sizes: number[] = [];
    const lateFrom = (batch: number) => {
      hurried.parts.cache = new RecallCache();
      sizes.length = 0;
      hurried.parts.inference = {
        ...inference,
        async rerank(query, passages, limits) {
          sizes.push(passages.length);
          if (sizes.length >= batch) throw new DaemonError('timed-out');
          return inference.rerank(query, passages, limits);
        },
      };
    };
    const order = async () => {
      const { hits, trace = [] } = await answer(hurried.parts, asked, { explain: true });
      const says = trace.find(({ port }) => port === crossEncoder.id)?.says;
      return { says, titles: hits.map(({ learning }) => learning.title) };
    };
    lateFrom(1);
    const fused = await order();
    expect(fused.says).toMatch(/^the fused order stands: /);
    lateFrom(Infinity);
    const all = await order();
    expect(sizes).toEqual([4, 4, 1]);
    expect(all.says).toBe('tiny-cross-encoder read 9');
    lateFrom(2);
    const part = await order();
    expect(part.says).toBe('tiny-cross-encoder read 4 of 9, as far as time allowed');
    expect(part.titles.slice(0, 4).toSorted()).toEqual(fused.titles.slice(0, 4).toSorted());
    expect(part.titles.slice(4)).toEqual(fused.titles.slice(4));
  });

  test('R2: without time to read the fused order stands, and what was found in a hurry is not remembered for others', async () => {
    const { parts, titles } = await world(given, { crossEncoder: reader() });
    const { inference } = parts;
    parts.inference = { ...inference, rerank: () => Promise.reject(new DaemonError('timed-out')) };
    const late = await answer(parts, { ...ask, deadline: performance.now() + 60_000 }, { explain: true });
    expect(late.trace?.find(({ port }) => port === crossEncoder.id)?.says).toMatch(
      /^the fused order stands: /,
    );
    parts.inference = inference;
    expect((await titles(ask))[0]).toBe(answers.title);
  });

  test('R2: it also ranks what a session starts with and what comes with a prompt', async () => {
    const project = BILLING;
    const notes = given.map(({ title }) => ({ title, project }));
    for (const [switched, first] of [
      [false, repeats.title],
      [true, answers.title],
    ] as const) {
      const { parts, cwd, start, store } = await sessionStart(notes, {
        branch: 'auth-suite-test',
        crossEncoder: reader(),
      });
      parts.settings.set('RECALL_CROSS_ENCODER', switched);
      parts.settings.set('REFLECT_PROMPT_MIN_RELEVANCE', 0.1);
      parts.settings.set('RECALL_VECTOR_ARM', false);
      const begun = await start({}, ask.query);
      expect(getLearning(store.db, begun.ids[0] ?? '').title).toBe(first);
      const prompted = await injectForPrompt(parts, {
        cwd,
        prompt: ask.query,
        injected: new Set(),
        deadline: soon(),
      });
      expect(getLearning(store.db, prompted.ids[0] ?? '').title).toBe(first);
    }
  });
});

describe('with trained weights', () => {
  needs(CROSS_ENCODER ? null : 'there is no cross-encoder here; REFLECT_CE_MODEL may point to one');

  const keywordHeavy = {
    title: 'Auth token format: auth suite tokens are base64 test fixtures',
    body: 'The auth test suite reads auth tokens from a fixture. Auth test tokens and suite tokens share one format.',
    scope,
  };
  const theAnswer = {
    title: 'Integration tests of login fail at random when run in parallel with xdist',
    fix: 'Give every worker its own database.',
    scope,
  };

  proof(
    crossEncoder,
    'left to decide alone, it finds the answer that hardly shares a word with the question',
    {
      given: [keywordHeavy, theAnswer],
      crossEncoder: () => CROSS_ENCODER ?? '',
      ask: { ...ask, knobs: { ...ask.knobs, RECALL_CE_WEIGHT: 1 } },
      off: [keywordHeavy.title, theAnswer.title],
      on: [theAnswer.title, keywordHeavy.title],
    },
  );
});
