import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { adapterOf, eventsOf, type LabelledSession, lineCounter } from '../../capture/bench/labelled.ts';
import { branchScope } from '../../platform/project.ts';

/** A labelled session as it will be written into the bench's own home of agents. */
export interface PreparedSession {
  labelled: LabelledSession;
  id: string;
  path: string;
  startedAt: number;
  endedAt: number;
  /** Branches it worked on, without the trunk. */
  branches: string[];
  /** Lines of its records, by the id a record has in the agent's own file. */
  lineOfRecord: ReadonlyMap<string, number>;
  /** Folders it worked in that lie in no other of them; the bench's repository takes their place. */
  folders: string[];
}

/** All sessions of one repository, in order of time, and the clone they and the questions belong to. */
export interface Project {
  repo: string;
  root: string;
  sessions: PreparedSession[];
}

export function prepareProjects(
  labelled: readonly LabelledSession[],
  folders: { agents: string; repositories: string },
): Project[] {
  return Object.entries(Object.groupBy(labelled, ({ repo }) => repo)).map(([repo, sessions = []]) => ({
    repo,
    root: join(folders.repositories, ...repo.split('/')),
    sessions: sessions
      .map((session) => prepare(session, folders.agents))
      .toSorted((a, b) => a.startedAt - b.startedAt),
  }));
}

function prepare(labelled: LabelledSession, agentsHome: string): PreparedSession {
  const [agentFolder = ''] = adapterOf(labelled).roots(agentsHome, {});
  const events = eventsOf(labelled);
  const lineOf = lineReader(labelled.path);
  const times = events.map(({ at }) => at).filter((at) => at > 0);
  const cwds = distinct(events.map(({ cwd }) => cwd));
  return {
    labelled,
    id: events.find(({ session }) => session !== '')?.session ?? '',
    path: join(agentFolder, ...labelled.name.split('/').slice(1)),
    startedAt: times.reduce((first, at) => Math.min(first, at), Infinity),
    endedAt: times.reduce((last, at) => Math.max(last, at), 0),
    branches: distinct(events.map(({ branch }) => branchScope(branch))),
    lineOfRecord: new Map(events.map(({ uuid, span }) => [uuid, lineOf(span.start)])),
    folders: cwds.filter((cwd) => !cwds.some((other) => cwd.startsWith(`${other}/`))),
  };
}

/** Turns positions into lines; in documents without lines, messages are counted already. */
export const lineReader = (path: string): ((position: number) => number) =>
  path.endsWith('.jsonl') ? lineCounter(path) : (position) => position;

const distinct = (values: Array<string | null>) => [
  ...new Set(values.filter((value): value is string => Boolean(value))),
];

/** Moves a project's sessions so that the last one ends now: questions come after the work, not months later. */
export const shiftOf = ({ sessions }: Project, now: number) =>
  now - Math.max(...sessions.map(({ endedAt }) => endedAt));

/** Writes a transcript where its agent would, in the project's clone and moved in time. Its lines stay the same. */
export function writeTranscript(session: PreparedSession, root: string, shift: number): void {
  const text = moveTimes(
    moveFolders(readFileSync(session.labelled.path, 'utf8'), session.folders, root),
    shift,
  );
  mkdirSync(dirname(session.path), { recursive: true });
  // The daemon watches the folder: it sees the whole file or none.
  const aside = join(dirname(session.path), '.writing');
  writeFileSync(aside, text);
  renameSync(aside, session.path);
}

/** Puts `root` in the place of each folder, but not of folders whose names only begin like it. */
export const moveFolders = (text: string, folders: readonly string[], root: string): string =>
  folders.reduce(
    (moved, folder) => moved.replaceAll(new RegExp(`${literal(folder)}(?![\\w.-])`, 'g'), () => root),
    text,
  );

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Moves the time of every record; times within messages stay, for they are words. */
export const moveTimes = (text: string, shift: number): string =>
  text.replaceAll(
    /"timestamp":\s?"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g,
    (_, at: string) => `"timestamp":"${new Date(Date.parse(at) + shift).toISOString()}"`,
  );

/** A clone with every branch that the sessions worked on, none of them merged, and `main` checked out. */
export function createRepository({ repo, root, sessions }: Project, shift: number): void {
  mkdirSync(root, { recursive: true });
  git(root, ['init', '-q', '-b', 'main']);
  git(root, ['remote', 'add', 'origin', `https://github.com/${repo}.git`]);
  const begun = Math.min(...sessions.map(({ startedAt }) => startedAt));
  const commits = [commitOf('main', 'README.md', begun + shift)];
  for (const branch of new Set(sessions.flatMap(({ branches }) => branches))) {
    const { endedAt } = sessions.findLast(({ branches }) => branches.includes(branch)) ?? { endedAt: begun };
    commits.push(commitOf(branch, `${branch}.txt`, endedAt + shift));
  }
  git(root, ['fast-import', '--quiet'], commits.join(''));
  git(root, ['reset', '-q', '--hard', 'main']);
}

/** One commit for `git fast-import`. Each branch has its own change: without one git would call it merged. */
function commitOf(branch: string, file: string, at: number): string {
  const text = `Work on ${branch}\n`;
  return [
    `commit refs/heads/${branch}`,
    `committer Ada <ada@example.org> ${Math.floor(at / 1_000)} +0000`,
    `data ${Buffer.byteLength(text)}`,
    text + (branch === 'main' ? '' : 'from refs/heads/main'),
    `M 100644 inline ${file}`,
    `data ${Buffer.byteLength(text)}`,
    text,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** The branches whose last session this is. */
export const branchesDone = ({ sessions }: Project, session: PreparedSession): string[] =>
  session.branches.filter(
    (branch) => sessions.findLast(({ branches }) => branches.includes(branch)) === session,
  );

export function mergeBranch(root: string, branch: string): void {
  git(root, ['merge', '-q', '--no-ff', '-m', `Merge branch '${branch}'`, branch]);
}

function git(cwd: string, args: string[], input = ''): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  execFileSync('git', [...who, ...args], { cwd, env, input, stdio: ['pipe', 'ignore', 'pipe'] });
}
