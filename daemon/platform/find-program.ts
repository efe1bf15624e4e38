import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The file of a program on the PATH of this environment; null if there is none. */
export function findProgram(program: string, environment: NodeJS.ProcessEnv): string | null {
  const names =
    process.platform === 'win32' ? ['.exe', '.cmd', ''].map((extension) => program + extension) : [program];
  const files = (environment.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return files.find((file) => isExecutable(file)) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
