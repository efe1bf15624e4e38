import { expect, test } from 'vitest';
import type { SessionUse } from '#contract/sessions.ts';
import { sessionsIn } from './uses.ts';
import { historyWords, usesWords } from './words.ts';

const use = (session: string, at: number, change: Partial<SessionUse> = {}): SessionUse => ({
  session,
  at,
  firstAt: at,
  learningId: 'lrn-a',
  title: 'A',
  sessionTitle: '',
  via: 'start',
  agent: 'codex',
  project: '',
  matched: null,
  outcome: null,
  ...change,
});

test('a session that got it twice is one session, with both occasions in the order they came', () => {
  expect(
    sessionsIn([
      use('s2', 9),
      use('s1', 5, { via: 'recall', agent: '', matched: ['grpc'], outcome: 'pass' }),
      use('s1', 3, { outcome: 'pass' }),
    ]),
  ).toMatchObject([
    { session: 's2', ways: [{ via: 'start' }], outcome: null },
    {
      session: 's1',
      at: 5,
      agent: 'codex',
      ways: [{ via: 'start' }, { via: 'recall', matched: ['grpc'] }],
      outcome: 'pass',
    },
  ]);
});

test('why a session got it is said in the words that matched', () => {
  const reason = (via: SessionUse['via'], matched: string[] | null) => usesWords.reason({ via, matched });
  expect([reason('prompt', ['grpc', 'deadline']), reason('tool', []), reason('start', null)]).toEqual([
    'with a prompt: matched “grpc”, “deadline” in your prompt',
    'before a tool: close in meaning to the command',
    'at session start',
  ]);
});

test('the history says who changed a note and why, in words', () => {
  expect(['person', 'heuristic', 'import'].map(historyWords.by)).toEqual([
    'by you',
    'automatically',
    'by import',
  ]);
  expect(historyWords.reason('noticed by signal.root-cause')).toBe('noticed as “root cause”');
  expect(historyWords.reason('typed in the app')).toBe('typed in the app');
});
