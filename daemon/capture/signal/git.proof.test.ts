import { describe, expect, test } from 'vitest';
import { historyOf } from '../../store/learnings/history.ts';
import { findCommit } from '../../store/capture/commits.ts';
import { getLearning } from '../../store/learnings/learnings.ts';
import { ingestCaptured } from '../../testing/captured.ts';
import { SessionEvents } from '../../testing/session-events.ts';
import { given, START, tempStore, type TempStore } from '../../testing/temp-home.ts';
import { git } from './git.ts';

const SHA = '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d';
const commits = (session: SessionEvents, settings = {}) =>
  session.noticed(settings).effects.filter(({ sees }) => sees === 'commit');
const reverts = (session: SessionEvents, settings = {}) =>
  session
    .noticed(settings)
    .effects.filter((effect) => effect.sees === 'revert')
    .map(({ sha }) => sha);

describe('what is seen', () => {
  const commit = (session: SessionEvents, sha: string, message = 'feat: cart') =>
    session.happens({ kind: 'git', sha, message });

  test('SG2: a commit; switched off, none', () => {
    const session = commit(new SessionEvents(), SHA);
    expect(commits(session)).toMatchObject([
      { sha: SHA, branch: 'main', message: 'feat: cart', conflictResolved: false, session: 'session-1' },
    ]);
    expect(commits(session, { [git.switch.name]: false })).toEqual([]);
  });

  test('SG2: a merge that had conflicts counts as resolved, the commit after it does not', () => {
    const session = new SessionEvents().runs(
      'git merge origin/main',
      'CONFLICT (content): Merge conflict in a.ts',
      { failed: true },
    );
    expect(commits(commit(commit(session, '2b3c4d5'), '3c4d5e6'))).toMatchObject([
      { conflictResolved: true },
      { conflictResolved: false },
    ]);
  });

  test('SG2: a commit without a sha is nothing', () => {
    expect(commits(commit(new SessionEvents(), ''))).toEqual([]);
  });

  test('SG2: a revert, by what its message says, by the command, and of the latest commit', () => {
    expect(
      reverts(commit(new SessionEvents(), '99aabbccdd', `Revert "cart"\n\nThis reverts commit ${SHA}.`)),
    ).toEqual([SHA]);
    expect(reverts(new SessionEvents().runs(`git revert --no-edit ${SHA.slice(0, 8)}`, ''))).toEqual([
      SHA.slice(0, 8),
    ]);
    expect(reverts(commit(new SessionEvents(), '1a2b3c4').runs('git revert HEAD --no-edit', ''))).toEqual([
      '1a2b3c4',
    ]);
    expect(
      reverts(
        new SessionEvents().runs(`git revert ${SHA}`, 'error: your local changes would be overwritten', {
          failed: true,
        }),
      ),
    ).toEqual([]);
  });
});

describe('what comes of it', () => {
  const learned = (store: TempStore, session: string, title: string) =>
    given(store, { title, provenance: { session } }).learning.id;
  const statusOf = (store: TempStore, id: string) => getLearning(store.db, id).status;
  const effects = (...list: Array<Record<string, unknown>>) => ({
    moments: [],
    continuations: [],
    complete: [],
    voided: [],
    sessions: [],
    effects: list.map((effect) => ({ at: START + 1_000, cwd: '', ...effect })) as never[],
  });
  const commit = {
    sees: 'commit',
    sha: SHA,
    branch: 'main',
    message: 'feat: cart',
    conflictResolved: false,
    session: 'one',
  };

  test('SG2: a commit is linked to its session once, however often and however short its id appears', () => {
    const store = tempStore();
    ingestCaptured(store, effects({ ...commit, sha: SHA.slice(0, 7) }, commit, commit));
    expect(findCommit(store.db, SHA.slice(0, 7))).toMatchObject({
      sha: SHA,
      session: 'one',
      message: 'feat: cart',
      project: 'github.com/acme/shop',
    });
    expect(store.db.prepare('SELECT count(*) FROM commit_link').pluck().get()).toBe(1);
  });

  test('SG2: a revert retracts what its session had learned, and nothing else; without it all stays', () => {
    const store = tempStore();
    const [mine, other] = [
      learned(store, 'one', 'Round totals half up'),
      learned(store, 'two', 'Carts expire after a day'),
    ];
    ingestCaptured(store, effects(commit));
    expect(statusOf(store, mine)).toBe('active');
    ingestCaptured(store, effects({ sees: 'revert', sha: SHA.slice(0, 9), session: 'three' }));
    expect([statusOf(store, mine), statusOf(store, other)]).toEqual(['reverted', 'active']);
    expect(historyOf(store.db, mine)[0]).toMatchObject({
      kind: 'revert',
      actor: 'git',
      reason: 'the commit 1a2b3c4d5e6f it led to was reverted',
      before: { status: 'active' },
    });
  });

  test('SG2: what was learned after the commit may be why it was reverted, and stays', () => {
    const store = tempStore();
    ingestCaptured(store, effects(commit));
    store.tick(60_000);
    const why = learned(store, 'one', 'Never round totals');
    ingestCaptured(store, effects({ sees: 'revert', sha: SHA, session: 'one', at: START + 90_000 }));
    expect(statusOf(store, why)).toBe('active');
  });

  test('SG2: a revert read before the older session with its commit waits for it', () => {
    const store = tempStore();
    const mine = learned(store, 'one', 'Round totals half up');
    ingestCaptured(store, effects({ sees: 'revert', sha: SHA, session: 'two' }));
    expect(statusOf(store, mine)).toBe('active');
    ingestCaptured(store, effects(commit));
    expect(statusOf(store, mine)).toBe('reverted');
  });
});
