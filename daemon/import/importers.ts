import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { ImportKind } from '#contract/imports.ts';
import { DaemonError } from '#contract/errors.ts';
import { yieldToOthers } from '../platform/turns.ts';
import { aiwg } from './aiwg.ts';
import { bao } from './bao.ts';
import { basicMemory } from './basic-memory.ts';
import { claudeMem } from './claude-mem.ts';
import { claudeMemory } from './claude-memory.ts';
import type { Importer } from './importer.ts';
import { instructions } from './instructions.ts';
import { markdown } from './markdown.ts';
import { reflectArchive, reflectMemoryArchive } from './reflect-archives.ts';
import { reflectMemory } from './reflect-memory.ts';

/**
 * Every program whose knowledge can be imported. The first that knows a path reads it, so the particular come first.
 */
export const IMPORTERS: readonly Importer[] = [
  reflectArchive,
  reflectMemoryArchive,
  claudeMem,
  aiwg,
  bao,
  claudeMemory,
  basicMemory,
  reflectMemory,
  instructions,
  markdown,
];

/** The importer a person named, or the first that knows the path. */
export async function importerFor(path: string, kind: ImportKind | undefined): Promise<Importer> {
  if (!isAbsolute(path)) throw new DaemonError('bad-input', `the path must be absolute: ${path}`);
  if (!existsSync(path)) throw new DaemonError('not-found', `${path} does not exist`);
  for (const importer of IMPORTERS) {
    if (kind === undefined ? await importer.detect(path) : importer.kind === kind) return importer;
    await yieldToOthers();
  }
  const known = IMPORTERS.map(({ name }) => name).join(', ');
  throw new DaemonError('bad-input', `nothing in ${path} can be imported. Reflect reads ${known}`);
}
