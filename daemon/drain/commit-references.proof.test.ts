import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { Note } from '#contract/entities.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { commitReferences, commitsIn, verifyCommits } from './commit-references.ts';
import { drainWorld } from './testing.ts';

const BOGUS = '0badc0de5'; // no commit begins so: the repository has one
const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.test', ...args], {
    encoding: 'utf8',
  }).trim();

/** A repository with one commit, whose id is the same every time. */
function repository(): { root: string; sha: string } {
  const root = tempFolder();
  execFileSync('git', ['init', '--quiet', root]);
  const when = {
    ...process.env,
    GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
  };
  execFileSync(
    'git',
    [
      '-C',
      root,
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.test',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'first',
    ],
    { env: when },
  );
  return { root, sha: git(root, 'rev-parse', 'HEAD') };
}

const naming = (...commits: string[]) =>
  Note.parse({ title: 'Never rebase released commits', body: `It broke in ${commits.join(' and ')}.` });

async function drainedWith(
  text: string,
  root: string,
  knobs = {},
  said: { signal?: string } = { signal: 'signal.root-cause' },
) {
  const world = drainWorld({ knobs });
  world.say(text, { project: { id: 'acme/shop', name: 'shop', root }, ...said });
  await world.drain.run();
  const [moment] = world.moments();
  return { moment, learning: moment?.learningId ? getLearning(world.store.db, moment.learningId) : null };
}

describe('M5 commit-reference verification', () => {
  test('M5: what exists is verified, by its whole id or a part of it; what does not is reported', async () => {
    const { root, sha } = repository();
    expect(await verifyCommits(naming(sha, sha.slice(0, 8)), root)).toEqual({
      unverified: [],
      allUnverified: false,
    });
    expect(await verifyCommits(naming(sha, BOGUS), root)).toEqual({
      unverified: [BOGUS],
      allUnverified: false,
    });
    expect(await verifyCommits(naming(BOGUS), root)).toEqual({ unverified: [BOGUS], allUnverified: true });
  });

  test('M5: an object that is no commit is neither a commit nor a lost one', async () => {
    const { root, sha } = repository();
    const tree = git(root, 'rev-parse', 'HEAD^{tree}');
    expect(await verifyCommits(naming(tree), root)).toEqual({ unverified: [], allUnverified: false });
    expect(await verifyCommits(naming(tree, BOGUS), root)).toEqual({
      unverified: [BOGUS],
      allUnverified: true,
    });
    expect(await verifyCommits(naming(tree, sha, BOGUS), root)).toEqual({
      unverified: [BOGUS],
      allUnverified: false,
    });
  });

  test('M5: a finding that names a background task or a file’s hash is kept', async () => {
    const { root } = repository();
    for (const said of [
      'The root cause: background task b5d3cfa was killed while the lock was held',
      'The root cause: the diff says index 1a2b3c4..5d6e7f8 100644, so only the mode changed',
    ]) {
      const { moment, learning } = await drainedWith(said, root);
      expect([moment?.state, learning?.unverifiedRefs]).toEqual(['kept', []]);
    }
  });

  test('M5: a note that names only commits nobody made is not kept, and the moment says why', async () => {
    const { moment, learning } = await drainedWith(`never revert commit ${BOGUS} again`, repository().root);
    expect([moment?.state, learning]).toEqual(['dismissed', null]);
    expect(moment?.error).toContain(BOGUS);
  });

  test('M5: what a person says is kept even so, for a commit may have been squashed since', async () => {
    const { moment, learning } = await drainedWith(
      `never revert commit ${BOGUS} again`,
      repository().root,
      {},
      { signal: 'signal.correction' },
    );
    expect([moment?.state, learning?.unverifiedRefs]).toEqual(['kept', [BOGUS]]);
  });

  test('M5: a note that names some keeps them apart', async () => {
    const { root, sha } = repository();
    const { moment, learning } = await drainedWith(
      `never revert commit ${sha} without commit ${BOGUS}`,
      root,
    );
    expect(moment?.state).toBe('kept');
    expect(learning?.unverifiedRefs).toEqual([BOGUS]);
  });

  test('M5: switched off, and outside of a repository, nothing is flagged (counterfactual)', async () => {
    const said = `never revert commit ${BOGUS} again`;
    const off = await drainedWith(said, repository().root, { [commitReferences.switch.name]: false });
    const elsewhere = await drainedWith(said, tempFolder());
    const nowhere = await drainedWith(said, '');
    const gone = await drainedWith(said, '/no/such/folder');
    for (const { moment, learning } of [off, elsewhere, nowhere, gone])
      expect([moment?.state, learning?.unverifiedRefs]).toEqual(['kept', []]);
  });

  test('M5: words of hexadecimal letters, numbers and parts of other names are no commits', () => {
    expect(commitsIn('the facade defaced the deadbeef effaced')).toEqual([]);
    expect(commitsIn('at 1700000000 it took 12345678 ms, order 20260115')).toEqual([]);
    expect(
      commitsIn(
        '550e8400-e29b-41d4-a716-446655440000 #1a2b3c4d 0x1234abcd main.1a2b3c4d.js v1a2b3c4d abc123',
      ),
    ).toEqual([]);
    expect(
      commitsIn(
        'task b5d3cfa, task ID: b5d3cfa, <task-id>aef9ffc</task-id>, taskId: "bdba04b", with ID: b5d3cfa, shell b1d2c3f, agent_id=ae1b1c5',
      ),
    ).toEqual([]);
    expect(commitsIn('index 1a2b3c4..5d6e7f8 100644, blob 9f86d08, tree 4b825dc, object id 1a2b3c4')).toEqual(
      [],
    );
    expect(
      commitsIn(
        'fixed in 1a2b3c4, see commit 1234567 and https://x.test/commit/9f86d08 (`1a2b3c4`), commit id 4b825dc.',
      ),
    ).toEqual(['1a2b3c4', '1234567', '9f86d08', '4b825dc']);
  });

  test('M5: a hostile text is looked through in no time and asks about few', () => {
    expect(commitsIn('1a2b3c4 '.repeat(200_000))).toEqual(['1a2b3c4']);
    expect(commitsIn(Array.from({ length: 500 }, (_, at) => `a${1_000_000 + at}`).join(' '))).toHaveLength(
      50,
    );
  });
});
