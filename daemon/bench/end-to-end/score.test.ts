import { describe, expect, test } from 'vitest';
import type { Label, LabelledSession } from '../../capture/bench/labelled.ts';
import type { KnownNote, NoticedMoment } from './knowledge.ts';
import { moveFolders, moveTimes } from './projects.ts';
import {
  amountsOf,
  type AskedLabel,
  type AskedQuestion,
  injectedOf,
  latest,
  missOf,
  ownNotes,
  ratesOf,
  worthOf,
} from './score.ts';

const label: Label = {
  id: 'l1',
  session: 's',
  line: 10,
  kind: 'correction',
  speaker: 'human',
  learning: 'Use pnpm.',
  importance: 3,
  queries: ['add a package'],
  also_lines: [14],
};
const session: LabelledSession = {
  name: 's',
  path: '',
  agent: 'claude-code',
  repo: 'acme/shop',
  unread: new Set([40]),
  labels: [label],
  negatives: [33],
};
const moment = (line: number, learning: string | null, more: Partial<NoticedMoment> = {}): NoticedMoment => ({
  session,
  line,
  learning,
  signal: 'correction',
  score: 0.5,
  state: learning ? 'kept' : 'dismissed',
  reason: '',
  ...more,
});
const note = (id: string, more: Partial<KnownNote> = {}): KnownNote => ({
  id,
  title: id,
  type: 'correction',
  rule: '',
  branch: null,
  scope: 'project',
  status: 'active',
  supersededBy: null,
  confidence: 0.6,
  provenance: {
    agent: '',
    transcript: 'a.jsonl',
    session: '',
    chunk: '',
    spanStart: 0,
    spanEnd: 0,
    commit: '',
    quote: '',
  },
  ...more,
});
const known = (...notes: KnownNote[]) => new Map(notes.map((one) => [one.id, one]));
const question = (learnings: string[], more: Partial<AskedQuestion> = {}): AskedQuestion => ({
  query: 'add a package',
  learnings,
  withCandidates: null,
  injected: [],
  ...more,
});
const asked = (own: string[], questions: AskedQuestion[], same: string[] = []): AskedLabel => ({
  label,
  session,
  own: new Set(own),
  same: new Set(same),
  questions,
});

describe("a label's notes", () => {
  test('come from its line, from a line that repeats it, and from what these proved', () => {
    const moments = [
      moment(10, 'a'),
      moment(14, 'b', { state: 'duplicate' }),
      moment(11, 'c'),
      moment(10, null),
    ];
    expect(ownNotes(label, session, moments, known(note('a'), note('b'), note('c')))).toEqual(
      new Set(['a', 'b']),
    );
  });
  test('are the ones that superseded them', () => {
    const notes = known(
      note('a', { supersededBy: 'b', status: 'superseded' }),
      note('b', { supersededBy: 'c', status: 'superseded' }),
      note('c'),
    );
    expect(ownNotes(label, session, [moment(10, 'a')], notes)).toEqual(new Set(['c']));
  });
  test('are followed once round a circle', () => {
    expect(latest('a', known(note('a', { supersededBy: 'b' }), note('b', { supersededBy: 'a' })))).toBe('b');
  });
});

test('a note is right on a labelled line, unjudged where the labeller saw only a part, wrong elsewhere', () => {
  const notes = known(note('a'), note('b'), note('c'));
  const moments = [
    moment(33, 'a'),
    moment(14, 'a', { state: 'duplicate' }),
    moment(40, 'b'),
    moment(33, 'c'),
  ];
  expect(['a', 'b', 'c', 'unknown'].map((id) => worthOf(id, moments, notes))).toEqual([
    'right',
    'unread',
    'wrong',
    'wrong',
  ]);
});

describe('a missed label', () => {
  const miss = (moments: NoticedMoment[], ...notes: KnownNote[]) =>
    missOf(
      { label, session, own: ownNotes(label, session, moments, known(...notes)) },
      moments,
      known(...notes),
    );

  test('was not heard', () => {
    expect(miss([moment(11, 'a')], note('a')).miss).toBe('not heard');
  });
  test('was heard and dropped, for a reason', () => {
    expect(miss([moment(10, null, { reason: 'names no commit' })])).toEqual({
      miss: 'heard but dropped',
      why: 'names no commit',
    });
    expect(miss([moment(10, 'a')], note('a', { status: 'archived' }))).toEqual({
      miss: 'heard but dropped',
      why: 'archived',
    });
  });
  test('waits as a candidate', () => {
    expect(miss([moment(10, 'a')], note('a', { status: 'candidate' })).miss).toBe('candidate only');
  });
  test('is bound to a branch, unless another of its notes is not', () => {
    const bound = note('a', { branch: 'feature/tax' });
    expect(miss([moment(10, 'a')], bound).miss).toBe('bound to branch');
    expect(miss([moment(10, 'a'), moment(14, 'b')], bound, note('b')).miss).toBe('learning but not found');
  });
});

describe('rates', () => {
  test('a label is answered by one question, and every question counts in the mean', () => {
    const rates = ratesOf([
      asked(['a'], [question(['x', 'a']), question(['x'])]),
      asked(['b'], [question([]), question(['y'])], ['y']),
    ]);
    expect(rates).toMatchObject({ labels: 2, answered: 0.5, loosely: 1, questions: 0.25, mrr: 0.125 });
  });
  test('candidates count only where they were searched', () => {
    expect(ratesOf([asked(['a'], [question([])])]).withCandidates).toBeNull();
    expect(ratesOf([asked(['a'], [question([], { withCandidates: ['a'] })])])).toMatchObject({
      answered: 0,
      withCandidates: 1,
    });
  });
  test('what is injected is judged each time and once for each note', () => {
    const labels = [
      asked(
        ['a'],
        [
          question([], { injected: ['a', 'wrong'] }),
          question([], { injected: ['a'] }),
          question([], { injected: ['unread'] }),
          question([]),
        ],
      ),
    ];
    const worth = (id: string) => (id === 'a' ? 'right' : id === 'unread' ? 'unread' : 'wrong');
    expect(injectedOf(labels, worth)).toEqual({
      questions: 0.75,
      notes: 3,
      right: 2 / 3,
      distinct: 2,
      distinctRight: 0.5,
    });
    expect(ratesOf(labels)).toMatchObject({ injected: 1, questionsInjected: 0.5 });
  });
});

test('sessions that taught nothing count in the median', () => {
  const sessions = ['a', 'b', 'c'].map((id) => ({ id, path: `${id}.jsonl` }));
  const notes = [note('a'), note('b', { branch: 'feature/tax' }), note('c', { status: 'candidate' })];
  expect(amountsOf(sessions, notes, () => 'right')).toEqual({
    learnings: 2,
    candidates: 1,
    precision: 1,
    perSession: { median: 0, most: 2 },
    onBranch: 1,
  });
});

describe('a transcript in its new place', () => {
  test('names the clone, but not for folders that only begin alike', () => {
    expect(
      moveFolders('"/home/ada/shop/src" "/home/ada/shop" "/home/ada/shop-old"', ['/home/ada/shop'], '/tmp/x'),
    ).toBe('"/tmp/x/src" "/tmp/x" "/home/ada/shop-old"');
  });
  test('moves the times of records and leaves those in messages', () => {
    expect(
      moveTimes('{"timestamp":"2026-01-31T23:59:59.000Z","text":"at 2026-01-31T23:59:59Z"}', 1_000),
    ).toBe('{"timestamp":"2026-02-01T00:00:00.000Z","text":"at 2026-01-31T23:59:59Z"}');
  });
});
