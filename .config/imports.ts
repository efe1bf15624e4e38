import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** One place where a file names another. Paths start at the repository's root; packages keep their name. */
export interface Import {
  target: string;
  /** Erased before anything runs. */
  typeOnly: boolean;
}

const STATEMENT = /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'\s*\)/g;
// Workers and scripts are started by address; a relative one is an import by another name.
const ADDRESS = /new URL\(\s*'(\.{1,2}\/[^']+\.(?:ts|mjs|cjs))'\s*,\s*import\.meta\.url\s*\)/g;

/** The imports of a source text, as a file at this path would resolve them. */
export function importsIn(file: string, source: string): Import[] {
  const found = [
    ...[...source.matchAll(STATEMENT)].map(([, type, name = '']) => ({ name, typeOnly: type !== undefined })),
    ...[DYNAMIC, ADDRESS].flatMap((pattern) =>
      [...source.matchAll(pattern)].map(([, name = '']) => ({ name, typeOnly: false })),
    ),
  ];
  return found.map(({ name, typeOnly }) => ({ target: resolve(file, name), typeOnly }));
}

function resolve(file: string, name: string): string {
  if (name.startsWith('#contract/')) return name.replace('#contract/', 'daemon/contract/');
  return name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name;
}

/** The source files under these folders, with slashes on every system. */
export function sourceFiles(...folders: string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        path.posix.join(folder, name.replaceAll('\\', '/')),
      ),
    )
    .filter((file) => /\.(?:ts|mjs|cjs|svelte)$/.test(file));
}

/** Every file with the imports it makes. */
export function importGraph(files: string[]): Map<string, Import[]> {
  return new Map(
    files.map((file) => [file, importsIn(file, readFileSync(path.join(ROOT, file), 'utf8'))] as const),
  );
}
