import { git, revertsIn } from '../capture/signal/git.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import { askGit } from '../platform/git.ts';
import type { Log } from '../platform/log.ts';
import { identifyProject, type ProjectIdentity } from '../platform/project.ts';
import type { Settings } from '../platform/settings.ts';
import { findCommit, linkCommit, sessionAtWork } from '../store/capture/commits.ts';
import { getMeta, setMeta } from '../store/meta.ts';
import { asOneUnit, type Store } from '../store/learnings/write.ts';
import { carryOutEffects, noteEffects } from './effects.ts';

interface FollowParts {
  store: Store;
  settings: Settings;
  log: Log;
}

interface GitReport {
  event: string;
  cwd: string;
  /** The pairs of old and new commits that git gives its hook after a rewrite. */
  message?: string;
  /** An agent's own transcript tells which session committed. */
  isAgents?: boolean;
}

interface Commit {
  sha: string;
  at: number;
  message: string;
}

const HOUR = 3_600_000; // ms
const JUST_NOW = 60_000; // ms
const TIMEOUT_MS = 10_000;
const MOST = '500'; // commits of one pull
const FIELDS = '--format=%H%x00%ct%x00%B%x01';
const SEEN = 'git-seen:';
const SESSION_START = 'session-start';

/** Follows the commits of repositories with our git hooks, one report after another, however they were made (SG2). */
export class CommitFollower {
  readonly #parts: FollowParts;
  readonly #task: BackgroundTask;
  readonly #reports: GitReport[] = [];

  constructor(parts: FollowParts) {
    this.#parts = parts;
    this.#task = new BackgroundTask({
      work: (signal) => this.#followAll(signal),
      onError: (error) => parts.log.error('following commits', error),
    });
  }

  /** Resolves when the commits that a hook tells of are noted. */
  report(report: GitReport): Promise<void> {
    this.#reports.push(report);
    return this.#task.run();
  }

  /** Looks for commits whose hook was not heard: no daemon ran, or the machine was too busy. */
  sessionStarted(cwd: string): void {
    this.#reports.push({ event: SESSION_START, cwd });
    this.#task.wake();
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }

  async #followAll(signal: AbortSignal): Promise<void> {
    for (let report = this.#reports.shift(); report && !signal.aborted; report = this.#reports.shift())
      await this.#follow(report, signal);
  }

  async #follow(report: GitReport, signal: AbortSignal): Promise<void> {
    const { store, settings } = this.#parts;
    const { event, cwd, message = '', isAgents = false } = report;
    const project = identifyProject(cwd);
    if (!project || !settings.resolver({ projectRoot: project.root })(git.switch)) return;
    if (event === 'post-rewrite') followRewritten(store, project, message);
    const seen = await newCommits(store, project, event, signal);
    signal.throwIfAborted();
    asOneUnit(store, () => {
      for (const commit of seen?.commits ?? [])
        noteCommit(store, project, commit, event === 'post-commit' && !isAgents);
      // A revert may have waited for what a rewrite has now told.
      carryOutEffects(store);
      if (seen) setMeta(store.db, `${SEEN}${project.root}`, seen.head);
    });
  }
}

/** The commits since the last report; without one, those that this event made. Null if there are none. */
async function newCommits(
  { db }: Store,
  { root }: ProjectIdentity,
  event: string,
  stopped: AbortSignal,
): Promise<{ commits: Commit[]; head: string } | null> {
  const last = getMeta(db, `${SEEN}${root}`);
  if (last === undefined && event === SESSION_START) return null;
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)]);
  // Asked first and named from then on: a commit that is made meanwhile is left to its own report.
  const head = (await askGit({ root, args: ['rev-parse', 'HEAD'], signal }))?.trim();
  if (!head || head === last) return null;
  const log = (...range: string[]) =>
    askGit({ root, args: ['log', FIELDS, '-n', MOST, ...range, '--'], signal });
  const found =
    (last && (await log(`${last}..${head}`))) ??
    (event === 'post-merge' ? await log(`ORIG_HEAD..${head}`) : null) ??
    (await log('-1', head));
  if (found === null) return null;
  const commits = found
    .split('\x01')
    .map((entry) => entry.trimStart().split('\0'))
    .flatMap(([sha, seconds, message = '']) =>
      sha && seconds ? [{ sha, at: Number(seconds) * 1_000, message: message.trim() }] : [],
    );
  return { commits: commits.toReversed(), head };
}

/** Links a commit and carries out what it reverts. One that was just typed belongs to the session at work here. */
function noteCommit(
  store: Store,
  project: ProjectIdentity,
  { sha, at, message }: Commit,
  isTyped: boolean,
): void {
  const now = store.now();
  const isNew = now - at < JUST_NOW;
  const session = isTyped && isNew ? sessionAtWork(store.db, project.id, now - HOUR) : '';
  const made = { session, at: Math.max(at, isNew ? now : at), project };
  const branch = project.branch ?? '';
  noteEffects(store, {
    effects: [
      { sees: 'commit', sha, branch, message, conflictResolved: false, sessionGuessed: true, ...made },
      ...revertsIn(message).map((reverted) => ({ sees: 'revert', sha: reverted, ...made }) as const),
    ],
    voided: [],
  });
}

/** An amended or rebased commit is still the work of its session. */
function followRewritten({ db }: Store, project: ProjectIdentity, pairs: string): void {
  for (const [, old = '', sha = ''] of pairs.matchAll(/^([0-9a-f]{7,64}) ([0-9a-f]{7,64})/gm)) {
    const known = findCommit(db, old);
    if (known) linkCommit(db, { ...known, sha, project: project.id });
  }
}
