import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { Input } from '#contract/methods.ts';
import { askGit } from '../platform/git.ts';

type Check = Input<'reflections.evaluate'>['checks'][number];
type Action = Input<'reflections.append'>['actor_output']['actions'][number];

const KEPT = 200_000; // characters of output, the last ones
const MOST_FILES = 200;
const TIMEOUT_MS = 10_000; // for git

/** Runs commands as the person would type them, one after another, and shows what they print. */
export async function runChecks(commands: readonly string[], report: string | undefined): Promise<Check[]> {
  const before = report === undefined ? '' : stampOf(report);
  const checks: Check[] = [];
  for (const command of commands) checks.push(await runCheck(command));
  const [first, ...rest] = checks;
  if (report === undefined || !first) return checks;
  // An old report would speak for a run that wrote none.
  if (stampOf(report) !== before && stampOf(report) !== '')
    return [{ ...first, report: { text: readFileSync(report, 'utf8') } }, ...rest];
  if (first.exitCode !== 0) return checks; // it ended before it could report, which its exit code says
  throw new InvalidArgumentError(`${report} was not written by the check.`);
}

/** Differs whenever the file was written again; empty where there is none. */
function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : '';
}

function runCheck(command: string): Promise<Check> {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['inherit', 'pipe', 'pipe'] });
    const kept = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        process.stderr.write(text); // standard output is for our own answer
        kept[stream] = `${kept[stream]}${text}`.slice(-KEPT);
      });
    const end = (exitCode: number) =>
      resolve({ tool: command, exitCode, ...kept, durationMs: performance.now() - start });
    child.on('error', () => end(127));
    child.on('close', (code) => end(code ?? 1));
  });
}

/** The files that differ from the last commit, as the actions of an attempt. */
export async function changedFiles(root: string): Promise<Action[]> {
  const ask = (...args: string[]) => askGit({ root, args, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const changed = (await ask('diff', '--numstat', 'HEAD')) ?? '';
  const added = (await ask('ls-files', '--others', '--exclude-standard')) ?? '';
  const lines = (text: string) => text.split('\n').filter(Boolean).slice(0, MOST_FILES);
  return [
    ...lines(changed).map((line): Action => {
      const [additions = '', deletions = '', file = ''] = line.split('\t');
      return {
        type: 'code_modification',
        description: `Changed ${file}`,
        file_path: file,
        changes: { additions: Number(additions) || 0, deletions: Number(deletions) || 0 },
      };
    }),
    ...lines(added).map((file): Action => ({
      type: 'file_creation',
      description: `Created ${file}`,
      file_path: file,
    })),
  ];
}
