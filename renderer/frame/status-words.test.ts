import { expect, test } from 'vitest';
import type { DaemonStatus } from '#contract/status.ts';
import { describeStatus } from './status-words.ts';

// Only what the words are made of.
const status = (change: Partial<DaemonStatus> = {}) =>
  ({
    notices: [],
    capture: 'watching',
    agreed: true,
    sources: [{ present: true }, { present: false }],
    progress: { filesDone: 1, filesTotal: 3, bytesDone: 40, bytesTotal: 100 },
    queue: 0,
    models: [],
    index: { vectors: 0, waiting: 0, state: 'ready' },
    recall: { count: 3, p50Ms: 18.2, p95Ms: 60 },
    learnings: 12,
    tokensSpentToday: 0,
    ...change,
  }) as unknown as DaemonStatus;

test('says what is going on in plain words', () => {
  expect(describeStatus('online', status())).toEqual({
    tone: 'good',
    parts: ['Everything works', 'watching 1 agent', '12 learnings', 'recall 18 ms'],
  });
});

test('says how far the back-fill is and what waits', () => {
  const { parts } = describeStatus('online', status({ capture: 'back-filling', queue: 3 }));
  expect(parts.slice(1, 3)).toEqual(['reading older transcripts, 40%', '3 moments to process']);
});

test('a pause or a notice asks for attention', () => {
  expect(describeStatus('online', status({ capture: 'paused' }))).toMatchObject({
    tone: 'attention',
    parts: expect.arrayContaining(['Capture is paused']),
  });
  const notices = ['The database was damaged. It is kept as reflect.db.damaged, and a backup was restored.'];
  expect(describeStatus('online', status({ notices })).parts[0]).toBe('The database was damaged');
  expect(describeStatus('online', status({ notices, capture: 'paused' })).parts[0]).toBe(
    'The database was damaged, and 1 more',
  );
});

test('missing models are shown, because only words are matched without them', () => {
  const { tone, parts } = describeStatus(
    'online',
    status({ index: { vectors: 0, waiting: 0, state: 'lexical-only' } }),
  );
  expect(tone).toBe('attention');
  expect(parts).toContain('Search matches words only');
});

test('an absent daemon is shown before everything else', () => {
  expect(describeStatus('offline', status()).parts).toHaveLength(1);
  expect(describeStatus('connecting', undefined).tone).toBe('quiet');
});

test('without transcripts it says just that: an agent may be installed and connected all the same', () => {
  const { parts } = describeStatus('online', status({ sources: [] }));
  expect(parts[0]).toBe('No transcripts found yet');
});
