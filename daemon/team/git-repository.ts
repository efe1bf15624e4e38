import { realpathSync } from 'node:fs';
import { DaemonError } from '#contract/errors.ts';
import { runCommand } from '../platform/run-command.ts';

export const NOTES = 'notes';

/** The git of a folder of notes, asked without hooks and without a prompt. */
export class GitRepository {
  readonly root: string;
  readonly #signal: AbortSignal;

  constructor(root: string, signal: AbortSignal) {
    this.root = root;
    this.#signal = signal;
  }

  /** A folder inside another repository is refused: its notes would be committed among somebody's code. */
  async isRepository(): Promise<boolean> {
    const { code, stdout } = await this.git('rev-parse', '--show-toplevel');
    if (code !== 0) return false;
    const top = stdout.trim();
    if (realpathSync(top) !== realpathSync(this.root))
      throw new DaemonError(
        'bad-input',
        `“${this.root}” is inside the repository ${top}. Choose a folder of its own.`,
      );
    return true;
  }

  /** False before the first commit. */
  async isBorn(): Promise<boolean> {
    return (await this.git('rev-parse', '--verify', '--quiet', 'HEAD')).code === 0;
  }

  async upstream(): Promise<string | null> {
    const branch = (await this.must('symbolic-ref', '--short', 'HEAD')).trim();
    const names = [`origin/${branch}`, 'origin/HEAD', 'origin/main', 'origin/master'];
    for (const name of names)
      if ((await this.git('rev-parse', '--verify', '--quiet', name)).code === 0) return name;
    return null;
  }

  /** Files that the remote does not have like this. */
  async ahead(): Promise<number> {
    const upstream = await this.upstream();
    if (!upstream) return (await this.files()).length;
    const changed = await this.must('diff', '--name-only', upstream, 'HEAD', '--', NOTES);
    return changed.split('\n').filter(Boolean).length;
  }

  async files(): Promise<Array<{ path: string; blob: string }>> {
    const { code, stdout } = await this.git('ls-tree', '-r', '-z', 'HEAD', '--', NOTES);
    if (code !== 0) return []; // no commit yet
    return stdout
      .split('\0')
      .map((line) => /^\d+ blob ([0-9a-f]+)\t(.+\.md)$/.exec(line))
      .flatMap((found) => (found ? [{ blob: found[1] ?? '', path: found[2] ?? '' }] : []));
  }

  git(...args: string[]) {
    return runCommand({
      argv: ['git', '-c', 'core.hooksPath=/dev/null', '-c', 'core.quotePath=false', ...args],
      cwd: this.root,
      environment: { ...(process.env as Record<string, string>), GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
      input: '',
      signal: this.#signal,
    });
  }

  async must(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.git(...args);
    if (code !== 0) throw gitFailed(args[0] ?? '', stderr);
    return stdout;
  }
}

export const gitFailed = (what: string, stderr: string) =>
  new DaemonError('conflict', `git ${what} failed: ${stderr.trim().split('\n').at(-1) ?? ''}`);
