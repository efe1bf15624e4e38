import { expect, test } from 'vitest';
import type { DaemonStatus } from '#contract/status.ts';
import { AttentionAlarm } from './attention.ts';

const view = (attention: number) => ({
  status: { attention, notices: [] as string[], documentProblems: 0 } as unknown as DaemonStatus,
  problem: null,
  recent: [],
});
const MINUTE = 60_000;

test('what waited before is not announced; what comes is, once', () => {
  const alarm = new AttentionAlarm();
  expect(alarm.sentenceFor(view(3), 0)).toBeNull();
  expect(alarm.sentenceFor(view(4), MINUTE)).toBe('4 decisions waiting for you');
  expect(alarm.sentenceFor(view(4), 2 * MINUTE)).toBeNull();
});

test('a burst is announced once, and what came in the quiet time after it', () => {
  const alarm = new AttentionAlarm();
  alarm.sentenceFor(view(0), 0);
  expect(alarm.sentenceFor(view(1), MINUTE)).not.toBeNull();
  expect(alarm.sentenceFor(view(2), 2 * MINUTE)).toBeNull();
  expect(alarm.sentenceFor(view(5), 20 * MINUTE)).toBeNull();
  expect(alarm.sentenceFor(view(5), 32 * MINUTE)).toBe('5 decisions waiting for you');
});

test('what a person decided makes the next one new again', () => {
  const alarm = new AttentionAlarm();
  alarm.sentenceFor(view(2), 0);
  alarm.sentenceFor(view(0), MINUTE);
  expect(alarm.sentenceFor(view(1), 2 * MINUTE)).toBe('1 decision waiting for you');
});

test('a daemon that is away says nothing', () => {
  expect(new AttentionAlarm().sentenceFor({ status: undefined, problem: null, recent: [] }, 0)).toBeNull();
});
