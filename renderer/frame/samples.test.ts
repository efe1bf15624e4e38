import { expect, test } from 'vitest';
import { type Sample, withSample } from './samples.ts';

const sample = (at: number): Sample => ({
  at,
  p50Ms: 1,
  p95Ms: 2,
  recalls: 0,
  queue: 0,
  rssBytes: 0,
  tokens: 0,
  followUpRate: 0,
});

test('the newest samples are kept, the oldest go, and the number is bounded', () => {
  let samples: Sample[] = [];
  for (let at = 0; at < 1_000; at++) samples = withSample(samples, sample(at));
  expect(samples).toHaveLength(240);
  expect(samples.at(-1)?.at).toBe(999);
  expect(samples[0]?.at).toBe(760);
});
