import type { Handlers } from '#contract/methods.ts';
import { git, revertsIn } from '../capture/signal/git.ts';
import { carryOutEffects, noteEffects } from '../drain/effects.ts';
import { askGit } from '../platform/git.ts';
import { identifyProject, type ProjectIdentity } from '../platform/project.ts';
import { findCommit, linkCommit, sessionAtWork } from '../store/capture/commits.ts';
import { getMeta, setMeta } from '../store/meta.ts';
import { asOneUnit } from '../store/learnings/write.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Payload = Parameters<Handlers['hook.run']>[0]['payload'];

interface Commit {
  sha: string;
  at: number;
  message: string;
}

const HOUR = 3_600_000; // ms
const JUST_NOW = 60_000; // ms
const PATIENCE = 10_000; // ms
const MOST = '500'; // commits of one pull
const FIELDS = '--format=%H%x00%ct%x00%B%x01';
const SEEN = 'git-seen:';

/** Follows the commits of a repository that its git hooks tell of, however they were made (SG2). */
export async function handleGitHook(parts: DaemonParts, event: string, payload: Payload): Promise<void> {
  const project = identifyProject(payload.cwd);
  if (!project || !parts.settings.resolver({ projectRoot: project.root })(git.switch)) return;
  if (event === 'post-rewrite') followRewritten(parts, project, payload.message);
  if (event === 'post-merge') parts.branches.sessionStarted();
  const commits = await newCommits(parts, project, event);
  const isAgents = payload.source === 'agent'; // its own transcript tells which session it was
  asOneUnit(parts.store, () => {
    for (const commit of commits) noteCommit(parts, project, commit, event === 'post-commit' && !isAgents);
    carryOutEffects(parts.store);
  });
}

/** The commits since the hook's last report; without one, those that this event made. */
async function newCommits(
  { store: { db }, signal }: DaemonParts,
  { root }: ProjectIdentity,
  event: string,
): Promise<Commit[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
  const log = (...range: string[]) =>
    askGit({ root, args: ['log', FIELDS, '-n', MOST, ...range, '--'], signal: limit });
  const last = getMeta(db, `${SEEN}${root}`);
  const found =
    (last && (await log(`${last}..HEAD`))) ??
    (event === 'post-merge' ? await log('ORIG_HEAD..HEAD') : null) ??
    (await log('-1', 'HEAD'));
  const head = (await askGit({ root, args: ['rev-parse', 'HEAD'], signal: limit }))?.trim();
  if (head) setMeta(db, `${SEEN}${root}`, head);
  return (found ?? '')
    .split('\x01')
    .map((entry) => entry.trimStart().split('\0'))
    .flatMap(([sha, seconds, message = '']) =>
      sha && seconds ? [{ sha, at: Number(seconds) * 1_000, message: message.trim() }] : [],
    )
    .toReversed();
}

/** Links a commit and carries out what it reverts. One that was just typed belongs to the session at work here. */
function noteCommit(
  { store, now }: DaemonParts,
  project: ProjectIdentity,
  { sha, at, message }: Commit,
  isTyped: boolean,
): void {
  const isNew = now() - at < JUST_NOW;
  const session = isTyped && isNew ? sessionAtWork(store.db, project.id, now() - HOUR) : '';
  const made = { session, at: Math.max(at, isNew ? now() : at), project };
  const branch = project.branch ?? '';
  noteEffects(store, {
    effects: [
      { sees: 'commit', sha, branch, message, conflictResolved: false, ...made },
      ...revertsIn(message).map((reverted) => ({ sees: 'revert', sha: reverted, ...made }) as const),
    ],
    voided: [],
  });
}

/** An amended or rebased commit is still the work of its session. */
function followRewritten({ store: { db } }: DaemonParts, project: ProjectIdentity, pairs: string): void {
  for (const [, old = '', sha = ''] of pairs.matchAll(/^([0-9a-f]{7,64}) ([0-9a-f]{7,64})/gm)) {
    const known = findCommit(db, old);
    if (known) linkCommit(db, { ...known, sha, project: project.id });
  }
}
