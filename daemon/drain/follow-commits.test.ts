import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { git as gitSignal } from '../capture/signal/git.ts';
import { findProgram } from '../platform/find-program.ts';
import { silentLog } from '../platform/log.ts';
import { identifyProject } from '../platform/project.ts';
import { Settings } from '../platform/settings.ts';
import { findCommit, linkCommit } from '../store/capture/commits.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { gitRepository } from '../testing/git-repository.ts';
import { given, type TempStore, tempFolder, tempStore } from '../testing/temp-home.ts';
import { carryOutEffects, noteEffects } from './effects.ts';
import { CommitFollower } from './follow-commits.ts';

/** A git that runs a command of its own once, as soon as it has listed commits. */
function gitThatThen(command: string): void {
  const folder = tempFolder();
  const real = findProgram('git', process.env, process.platform) ?? '';
  const script = `#!/bin/sh
"${real}" "$@"; status=$?
case " $* " in *" log "*) [ -e "${folder}/done" ] || { touch "${folder}/done"; ${command}; } >/dev/null 2>&1 ;; esac
exit $status
`;
  writeFileSync(join(folder, 'git'), script);
  chmodSync(join(folder, 'git'), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH'] ?? ''}`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

function followerOf(store: TempStore): CommitFollower {
  const settings = new Settings(join(tempFolder(), 'config.toml'), {}, [gitSignal.switch]);
  const commits = new CommitFollower({ store, settings, log: silentLog });
  onTestFinished(() => commits.stop());
  return commits;
}

/** A commit that a hook has linked to the session at work, though another one made it. */
async function guessedCommit() {
  const { root, git, commit } = gitRepository({ isDated: false });
  const store = tempStore();
  const project = identifyProject(root)?.id ?? '';
  const learnedIn = (session: string) =>
    given(store, { title: `Round totals in ${session}`, project, provenance: { session } }).learning.id;
  const learnings = ['guessed', 'claims', 'claims later'].map(learnedIn);
  store.db.insert(
    'INTO capture_window (key, chunk_hash, signal, agent, session, transcript, project, at, payload, state)',
    {
      ...{
        key: 'k',
        chunkHash: 'c',
        signal: 's',
        agent: 'a',
        transcript: 't',
        payload: '{}',
        state: 'dismissed',
      },
      ...{ session: 'guessed', project, at: store.now() },
    },
  );
  const sha = commit('cart.ts', 'round();\n');
  const commits = followerOf(store);
  await commits.report({ event: 'post-commit', cwd: root });
  expect(findCommit(store.db, sha)?.session).toBe('guessed');
  const effect = { sees: 'commit', branch: 'main', message: '', conflictResolved: false } as const;
  return {
    revert: async () => {
      git('revert', '--no-edit', sha);
      await commits.report({ event: 'post-commit', cwd: root });
    },
    claim: (session: string) => {
      const claimed = {
        ...effect,
        sha: sha.slice(0, 8),
        session,
        at: store.now(),
        project: identifyProject(root),
      };
      noteEffects(store, { effects: [claimed], voided: [] });
      carryOutEffects(store);
    },
    statuses: () => learnings.map((id) => getLearning(store.db, id).status),
  };
}

test('SG2: a session that tells of its commit replaces the one guessed by a hook, and no later one does', async () => {
  const { claim, revert, statuses } = await guessedCommit();
  claim('claims');
  claim('claims later');
  await revert();
  expect(statuses()).toEqual(['active', 'reverted', 'active']);
});

test('SG2: a revert before the session tells of its commit moves from the guessed one to it', async () => {
  const { claim, revert, statuses } = await guessedCommit();
  await revert();
  expect(statuses()).toEqual(['reverted', 'active', 'active']);
  claim('claims');
  claim('claims later');
  expect(statuses()).toEqual(['active', 'reverted', 'active']);
});

test('SG2: a revert made while an earlier commit is followed is seen by its own report', async ({ skip }) => {
  if (process.platform === 'win32') skip('the stand-in for git is a shell script');
  const { root, git, commit } = gitRepository();
  const store = tempStore();
  const project = identifyProject(root)?.id ?? '';
  const { id } = given(store, {
    title: 'Round totals half up',
    project,
    provenance: { session: 'one' },
  }).learning;
  const sha = commit('cart.ts', 'round();\n');
  const link = {
    sha,
    session: 'one',
    project,
    branch: 'main',
    message: '',
    conflictResolved: false,
    at: store.now(),
  };
  linkCommit(store.db, link);
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.test');
  const commits = followerOf(store);

  gitThatThen(`git -C '${root}' revert --no-edit ${sha}`);
  await commits.report({ event: 'post-commit', cwd: root });
  expect(git('log', '-1', '--format=%s')).toMatch(/^Revert/);
  await commits.report({ event: 'post-commit', cwd: root });
  expect(getLearning(store.db, id).status).toBe('reverted');
});
