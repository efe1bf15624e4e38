import { expect, test } from 'vitest';
import type { Given } from '../../testing/world.ts';
import { BILLING, sessionStart } from '../../testing/session-start.ts';
import { NOW } from '../../testing/world.ts';
import { isEnough, type Probe, probeOf } from './grounding.ts';

const TIERED = { REFLECT_TIERED_INJECT: true };
const SURE: Given = {
  title: 'Regenerate the clients of billing after a proto edit',
  rule: 'Run make proto-gen.',
  project: BILLING,
  confidence: 0.9,
  daysAgo: 3,
};
const OTHER: Given = { title: 'Never edit files under gen', project: BILLING, confidence: 0.6, daysAgo: 1 };

async function injected(given: Partial<Given>, knobs: Record<string, unknown> = {}) {
  const { start } = await sessionStart([{ ...SURE, ...given }, OTHER], { branch: 'feat/proto-clients' });
  return (await start({ ...TIERED, ...knobs })).ids.length;
}

const ONE = 1;
const ALL = 2;

test('R11: one fresh and sure learning is enough, and nothing more is looked for', async () => {
  expect(await injected({})).toBe(ONE);
});

test('R11: outside of tiered starts, and with its own knob off, it never is', async () => {
  expect(await injected({}, { REFLECT_TIERED_INJECT: false })).toBe(ALL);
  expect(await injected({}, { REFLECT_GROUNDING: false })).toBe(ALL);
});

test('R11: an old one falls through to all learnings', async () => {
  expect(await injected({ daysAgo: 31 })).toBe(ALL);
  expect(await injected({ daysAgo: 30 })).toBe(ONE);
  expect(await injected({ daysAgo: 31 }, { REFLECT_STALENESS_DAYS: 40 })).toBe(ONE);
});

test('R11: where nothing fits, the newest learnings are injected', async () => {
  const { start } = await sessionStart([{ ...OTHER, confidence: 0.9 }], { branch: 'feat/rounding' });
  expect((await start({ ...TIERED, REFLECT_INJECT_MIN_OVERLAP: 1 })).ids).toHaveLength(1);
});

test('R11: the threshold decides, and exactly at it is not above it', async () => {
  expect(await injected({ confidence: 0.6 })).toBe(ALL);
  expect(await injected({ confidence: 0.6 }, { REFLECT_GROUNDING_MIN_SCORE: 0.6 })).toBe(ONE);
  expect(await injected({ confidence: 0.6 }, { REFLECT_GROUNDING_MIN_SCORE: 0.7 })).toBe(ALL);
  expect(await injected({}, { REFLECT_GROUNDING_MIN_SCORE: 1 })).toBe(ALL);
});

test('R11: a note as capture writes it is enough once another session met it, or once it helped', async () => {
  expect(await injected({ confidence: 0.55 })).toBe(ALL);
  expect(await injected({ confidence: 0.55, signals: { proofCount: 2 } })).toBe(ONE);
  expect(await injected({ confidence: 0.55, signals: { helpfulCount: 1 } })).toBe(ONE);
  expect(await injected({ confidence: 0.45, signals: { proofCount: 2 } })).toBe(ALL);
});

test('R11: only an age that is known makes it fresh', () => {
  const knobs = { minScore: 0.8, stalenessDays: 30 };
  const probe: Probe = { text: 'x', stale: false, ageDays: 3, score: 1 };
  expect(isEnough(probe, knobs)).toBe(true);
  for (const change of [{ ageDays: null }, { stale: true }, { text: ' ' }])
    expect(isEnough({ ...probe, ...change }, knobs), JSON.stringify(change)).toBe(false);
  expect(isEnough(null, knobs)).toBe(false);
});

test('R11: the look at the real knowledge base gives score and age', async () => {
  const { learnings } = await sessionStart([
    SURE,
    { ...SURE, title: 'Round per line', confidence: 0.5 },
    { ...SURE, title: 'Ask Ada', confidence: 0.49, forgetAfter: NOW - 1 },
  ]);
  expect(
    learnings
      .map((learning) => probeOf(learning, NOW))
      .map(({ score, ageDays, stale }) => ({ score, ageDays, stale })),
  ).toEqual([
    { score: 1, ageDays: 3, stale: false },
    { score: 0.7, ageDays: 3, stale: false },
    { score: 0.4, ageDays: 3, stale: true },
  ]);
  const [learning] = learnings;
  if (!learning) throw new Error('given above');
  expect(probeOf({ ...learning, updatedAt: 0 }, NOW).ageDays).toBeNull();
  expect(probeOf({ ...learning, updatedAt: NOW + 1 }, NOW).ageDays).toBeNull();
  expect(probeOf({ ...learning, signals: { ...learning.signals, staleCount: 1 } }, NOW).stale).toBe(true);
});
