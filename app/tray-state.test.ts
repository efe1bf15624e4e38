import { expect, test } from 'vitest';
import type { Moment } from '#contract/capture.ts';
import type { DaemonStatus } from '#contract/status.ts';
import { recentCaptures, traySentence, trayState } from './tray-state.ts';

const quiet: DaemonStatus = {
  version: '0.1.0',
  pid: 1,
  node: 'v24',
  home: '/home',
  userHome: '/home',
  startedAt: 0,
  notices: [],
  databaseLost: false,
  rssBytes: 0,
  learnings: 1_284,
  proposed: 0,
  candidates: 0,
  queue: 0,
  attention: 0,
  capture: 'watching',
  agreed: true,
  progress: { filesDone: 0, filesTotal: 0, bytesDone: 0, bytesTotal: 0, agent: '', bytesPerSecond: 0 },
  sources: [],
  redactions: {},
  models: [],
  index: { vectors: 0, waiting: 0, state: 'ready' },
  recall: { count: 0, p50Ms: 0, p95Ms: 0, followUpRate: 0, lookedUp: 0, cached: 0, stages: [] },
  databaseBytes: 0,
  documentProblems: 0,
  tokensSpentToday: 0,
};
const seen = (changes: Partial<DaemonStatus>) => {
  const view = { status: { ...quiet, ...changes }, problem: null, recent: [] };
  return [trayState(view), traySentence(view)];
};

test('the icon and its sentence say what the daemon is at', () => {
  expect(seen({})).toEqual(['idle', 'Watching, 1,284 learnings']);
  expect(seen({ queue: 1 })).toEqual(['draining', 'Learning from 1 moment']);
  expect(seen({ capture: 'back-filling' })).toEqual(['draining', 'Reading earlier sessions']);
  expect(seen({ capture: 'paused' })).toEqual(['idle', 'Capture is paused']);
  expect(seen({ attention: 4, queue: 2 })).toEqual(['attention', '4 decisions waiting for you']);
  expect(seen({ notices: ['The database was restored.'], attention: 1 })).toEqual([
    'attention',
    'The database was restored.',
  ]);
  expect(seen({ documentProblems: 1 })).toEqual(['attention', '1 note cannot be read']);
});

test('a daemon that does not answer needs attention', () => {
  const view = { status: undefined, problem: null, recent: [] };
  expect([trayState(view), traySentence(view)]).toEqual(['attention', 'The daemon does not respond']);
  expect(traySentence({ ...view, problem: 'The daemon did not start: the disk is full' })).toBe(
    'The daemon did not start: the disk is full',
  );
});

test('recent captures are those that became a learning, in one short line each', () => {
  const window = (learningId: string | null, quote: string): Moment => ({
    id: 1,
    signal: 'human-correction',
    agent: 'claude-code',
    session: 's',
    transcript: 't',
    project: 'p',
    branch: null,
    at: 0,
    quote,
    why: [],
    state: 'kept',
    error: '',
    learningId,
  });
  const recent = [
    window('a-1', 'no,\n  use   pnpm'),
    window(null, 'still queued'),
    window('b-2', 'x'.repeat(100)),
    window('c-3', ''),
  ];
  expect(recentCaptures({ status: quiet, problem: null, recent })).toEqual([
    { learningId: 'a-1', label: 'no, use pnpm' },
    { learningId: 'b-2', label: `${'x'.repeat(59)}…` },
    { learningId: 'c-3', label: 'human-correction' },
  ]);
});
