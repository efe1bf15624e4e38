import { homedir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { identifyProject } from './project.ts';
import { readTextIfExists } from './read-file.ts';

const AGENT = 'agent:';
const PROJECT = 'project:';
/** A file in a repository that keeps Reflect out of it, or out of some of its folders. */
const IGNORE_FILE = '.reflectignore';

/** The rules of a text, as it stands in the setting: separated by commas or lines. */
export const rulesIn = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((rule) => rule.trim())
    .filter(Boolean);

export const agentRule = (agent: string) => `${AGENT}${agent}`;
export const projectRule = (project: string) => `${PROJECT}${project}`;

/** Places and agents that a person keeps Reflect out of: nothing is read, recorded or injected there. */
export class IgnoreRules {
  readonly agents: ReadonlySet<string>;
  readonly #projects: ReadonlySet<string>;
  readonly #folders: readonly RegExp[];

  constructor(text: string, home = homedir()) {
    const rules = rulesIn(text);
    const after = (prefix: string) =>
      new Set(rules.filter((rule) => rule.startsWith(prefix)).map((rule) => rule.slice(prefix.length)));
    this.agents = after(AGENT);
    this.#projects = after(PROJECT);
    this.#folders = rules
      .filter((rule) => !rule.startsWith(AGENT) && !rule.startsWith(PROJECT))
      .map((rule) => folderPattern(rule.replace(/^~(?=$|[/\\])/, home)));
  }

  /** True for a folder below an ignored one, in an ignored project, or in one whose own file says so. */
  hasFolder(cwd: string): boolean {
    if (cwd === '') return false;
    if (this.#folders.some((pattern) => pattern.test(slashed(cwd)))) return true;
    const project = identifyProject(cwd);
    if (!project) return false;
    if (
      this.#projects.has(project.id) ||
      this.#folders.some((pattern) => pattern.test(slashed(project.root)))
    )
      return true;
    return fileIgnores(project.root, cwd);
  }
}

/** An empty file keeps Reflect out of the whole repository; otherwise each line names a folder of it. */
function fileIgnores(root: string, cwd: string): boolean {
  const lines = linesOf(root);
  if (lines === null) return false;
  const path = slashed(relative(root, cwd));
  return (
    lines.length === 0 ||
    lines.some((line) => /^[./*]+$/.test(line) || folderPattern(line.replace(/^\.?\//, '')).test(path))
  );
}

function linesOf(root: string): string[] | null {
  try {
    const text = readTextIfExists(join(root, IGNORE_FILE), { within: root });
    if (text === null) return null;
    const lines = text.split('\n').map((line) => line.trim());
    return lines.filter((line) => line !== '' && !line.startsWith('#'));
  } catch {
    return []; // an unreadable file still means that someone wants Reflect out
  }
}

const slashed = (path: string) => path.split(sep).join('/');

/** `*` stands for anything within a name, `**` for any folders; a pattern covers everything below what it matches. */
function folderPattern(pattern: string): RegExp {
  const source = slashed(pattern)
    .replace(/\/+$/, '')
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => WILDCARDS[part] ?? part.replace(/[.+^${}()|[\]\\]/g, '\\$&'))
    .join('');
  return new RegExp(`^${source}(?:/|$)`);
}

const WILDCARDS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};
