import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { askGit } from './git.ts';
import { TRUNKS } from './project.ts';

type Ask = (args: string[], environment?: Record<string, string>) => Promise<string | null>;

interface Repository {
  ask: Ask;
  root: string;
  trunk: string;
  /** The trunk here and as last fetched: a branch may be merged in one and not yet in the other. */
  trunkTips: string[];
}

interface Tip {
  sha: string;
  at: number; // seconds
}

/** Says how a branch ended; null while its work goes on, and when git cannot tell. Nothing is fetched or written. */
export async function branchEnd(root: string, branch: string, signal: AbortSignal): Promise<string | null> {
  const ask: Ask = (args, environment = {}) => askGit({ root, args, signal, environment });
  const refs = await readRefs(ask);
  const trunk = refs && (await trunkIn(ask, refs));
  if (!trunk) return null;
  if (trunk === branch) return `${branch} is the trunk`;
  const repository = { ask, root, trunk, trunkTips: tipsOf(refs, trunk).map(({ sha }) => sha) };
  const [tip] = tipsOf(refs, branch);
  if (!tip) return (await isCheckedOut(ask, branch)) ? null : goneFrom(repository, branch);
  for (const trunkTip of repository.trunkTips) {
    const how = await mergedInto(repository, trunkTip, branch, tip);
    if (how) return `branch ${branch} was ${how} ${trunk}`;
  }
  return null;
}

type Refs = Map<string, Tip & { pointsTo: string }>;

async function readRefs(ask: Ask): Promise<Refs | null> {
  const format = '%(refname)%00%(objectname)%00%(committerdate:unix)%00%(symref)';
  const listed = await ask(['for-each-ref', `--format=${format}`, 'refs/heads', 'refs/remotes']);
  if (listed === null) return null;
  return new Map(
    linesOf(listed).map((line) => {
      const [name = '', sha = '', at = '', pointsTo = ''] = line.split('\0');
      return [name, { sha, at: Number(at), pointsTo }];
    }),
  );
}

/** The branch's tip here, then on the remotes. */
const tipsOf = (refs: Refs, branch: string): Tip[] =>
  [...refs]
    .filter(([name]) => name === `refs/heads/${branch}` || REMOTE.exec(name)?.[2] === branch)
    .map(([, tip]) => tip);

const REMOTE = /^refs\/remotes\/([^/]+)\/(.+)$/;

/** The remote's default branch; without one the configured default, else one of the usual names. */
async function trunkIn(ask: Ask, refs: Refs): Promise<string | null> {
  const heads = ['origin', ...new Set([...refs.keys()].map((name) => REMOTE.exec(name)?.[1] ?? ''))];
  const named = heads
    .map((remote) => REMOTE.exec(refs.get(`refs/remotes/${remote}/HEAD`)?.pointsTo ?? '')?.[2])
    .find((name) => name !== undefined);
  if (named) return named;
  const configured = (await ask(['config', '--get', 'init.defaultBranch']))?.trim() ?? '';
  return [configured, ...TRUNKS].find((name) => name !== '' && tipsOf(refs, name).length > 0) ?? null;
}

/** A branch without a commit has no ref yet, but a working tree has it checked out. */
async function isCheckedOut(ask: Ask, branch: string): Promise<boolean> {
  const trees = await ask(['worktree', 'list', '--porcelain']);
  return trees === null || linesOf(trees).includes(`branch refs/heads/${branch}`);
}

async function goneFrom({ ask, trunk, trunkTips }: Repository, branch: string): Promise<string> {
  const commits = await logOf(ask, trunkTips);
  return commits.some(({ subject }) => namesMerge(subject, branch))
    ? `branch ${branch} was merged into ${trunk} and deleted`
    : `branch ${branch} is gone`;
}

async function mergedInto(
  { ask, root }: Repository,
  trunk: string,
  branch: string,
  tip: Tip,
): Promise<string | null> {
  if ((await ask(['merge-base', '--is-ancestor', tip.sha, trunk])) !== null)
    return (await hadWork(ask, trunk, branch, tip)) ? 'merged into' : null;
  const base = (await ask(['merge-base', trunk, tip.sha]))?.trim();
  if (!base) return null;
  if (await isApplied(ask, trunk, tip.sha)) return 'rebased and merged into';
  if (await isSquashed(ask, root, trunk, tip.sha, base)) return 'squashed into';
  return saysMerged(ask, trunk, branch, tip, base);
}

/** A branch that was just made is part of the trunk too; the log of one that was fast-forwarded tells them apart. */
async function hadWork(ask: Ask, trunk: string, branch: string, { sha }: Tip): Promise<boolean> {
  const mainLine = await ask(['rev-list', '--first-parent', trunk, `^${sha}^@`]);
  if (mainLine !== null && linesOf(mainLine).at(-1) !== sha) return true;
  const moves = await ask(['reflog', 'show', '--format=%gs', `refs/heads/${branch}`]);
  return linesOf(moves ?? '').some((move) => /^(?:commit|cherry-pick|revert|am)\b/.test(move));
}

/** True when the trunk has a commit with the same patch for each of the branch's. */
async function isApplied(ask: Ask, trunk: string, tip: string, environment = {}): Promise<boolean> {
  const commits = linesOf((await ask(['cherry', trunk, tip], environment)) ?? '');
  return commits.length > 0 && commits.every((commit) => commit.startsWith('-'));
}

/** Compares the branch as one commit, which is made in a folder of ours so that the repository stays as it is. */
async function isSquashed(
  ask: Ask,
  root: string,
  trunk: string,
  tip: string,
  base: string,
): Promise<boolean> {
  const objects = (await ask(['rev-parse', '--git-path', 'objects']))?.trim();
  if (!objects) return false;
  const scratch = mkdtempSync(join(tmpdir(), 'reflect-git-'));
  const who = { NAME: 'reflect', EMAIL: 'reflect', DATE: '@0 +0000' };
  const environment = {
    GIT_OBJECT_DIRECTORY: scratch,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: resolve(root, objects),
    ...Object.fromEntries(
      Object.entries(who).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    ),
  };
  try {
    const squash = await ask(['commit-tree', `${tip}^{tree}`, '-p', base, '-m', 'squash'], environment);
    return squash !== null && (await isApplied(ask, trunk, squash.trim(), environment));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Commit {
  at: number; // seconds
  subject: string;
  body: string;
}

const MOST_COMMITS = 1_000;

async function logOf(ask: Ask, range: string[]): Promise<Commit[]> {
  const log = await ask([
    'log',
    '--no-show-signature',
    '-z',
    `--max-count=${MOST_COMMITS}`,
    '--format=%ct%n%s%n%b',
    ...range,
    '--',
  ]);
  return (log ?? '').split('\0').map((commit) => {
    const [at = '', subject = '', ...body] = commit.split('\n');
    return { at: Number(at), subject, body: body.join('\n') };
  });
}

/** A forge that resolved conflicts changed the patch, but its message says what it merged; later work is not merged. */
async function saysMerged(
  ask: Ask,
  trunk: string,
  branch: string,
  tip: Tip,
  base: string,
): Promise<string | null> {
  const since = (await logOf(ask, [`${base}..${trunk}`])).filter(({ at }) => at >= tip.at);
  if (since.length === 0) return null;
  if (since.some(({ subject }) => namesMerge(subject, branch))) return 'merged into';
  const work = (await logOf(ask, [`${base}..${tip.sha}`])).map(({ subject }) => subject).filter(Boolean);
  return since.some((commit) => namesSquash(commit, branch, work)) ? 'squashed into' : null;
}

/** `Merge pull request #12 from owner/feat/x`, `Merge branch 'feat/x'`, `Merged in feat/x (pull request #12)`. */
function namesMerge(subject: string, branch: string): boolean {
  const [, merged = ''] =
    /^Merged? (?:pull request \S+ from [^/\s]+\/|(?:remote-tracking )?branch '|in )([^'\s]+)/.exec(subject) ??
    [];
  return merged === branch || merged === `origin/${branch}`;
}

/** `Title (#12)`, where the title is the branch's name or its only commit, or the body lists its commits. */
function namesSquash({ subject, body }: Commit, branch: string, work: string[]): boolean {
  const title = /^(.+) \([#!]\d+\)$/.exec(subject)?.[1];
  if (title === undefined) return false;
  const listed = body.split('\n').map((line) => line.replace(/^\s*[*-]\s+/, ''));
  return (
    wordsOf(title) === wordsOf(branch) ||
    (work.length > 0 && work.every((subject) => subject === title || listed.includes(subject)))
  );
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ');

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');
