import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** The file of a program on the PATH of this environment; null if there is none. */
export function findProgram(
  program: string,
  environment: NodeJS.ProcessEnv,
  system = process.platform,
): string | null {
  const isWindows = system === 'win32';
  const names = isWindows ? ['.exe', '.cmd', ''].map((extension) => program + extension) : [program];
  const files = pathOf(environment)
    .split(isWindows ? ';' : ':')
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return files.find((file) => isExecutable(file)) ?? null;
}

/** Windows calls it `Path`, and a copy of the environment no longer ignores case as `process.env` does. */
const pathOf = (environment: NodeJS.ProcessEnv): string =>
  environment.PATH ?? Object.entries(environment).find(([name]) => /^path$/i.test(name))?.[1] ?? '';

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
