import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ROOT } from '../daemon-process.ts';

/** The judges fitted on the labelled sessions, in order: a later one builds on the decisions of an earlier one. */
const FITS = [
  { script: 'daemon/capture/bench/fit-judge.ts', weights: 'daemon/capture/judge/weights.json' },
  { script: 'daemon/drain/bench/fit-notes.ts', weights: 'daemon/drain/note-weights.json' },
];
const LOADER = new URL('../replaced-json.ts', import.meta.url).href;

/** The environment of a process whose JSON files are those of a folder, where it has them. */
export const withReplacedJson = (environment: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv => ({
  ...environment,
  NODE_OPTIONS: `--import ${LOADER}`,
  REFLECT_REPLACED_JSON: folder,
});

/** Fits every judge on the sessions of all other repositories, into a folder laid out like the project. */
export function fitWithout(repo: string, data: string, folder: string, environment: NodeJS.ProcessEnv): void {
  for (const { script, weights } of FITS) {
    const out = join(folder, weights);
    mkdirSync(dirname(out), { recursive: true });
    execFileSync(
      process.execPath,
      [join(ROOT, script), '--data', resolve(data), '--without', repo, '--out', out],
      { cwd: ROOT, env: withReplacedJson(environment, folder), stdio: ['ignore', 'ignore', 'inherit'] },
    );
  }
}
