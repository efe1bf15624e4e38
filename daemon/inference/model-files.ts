import { readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import * as z from 'zod';
import {
  TOKENIZER,
  WEIGHTS,
  type CrossEncoderRow,
  type ModelFile,
  type ModelRow,
} from '../../models/manifest.ts';
import { sha256Of } from '../../models/model-folders.ts';
import { writeFileAtomic } from '../platform/files.ts';
import type { CheckedFile, CheckedFiles } from './worker-messages.ts';

type Found = { state: 'ready'; files: CheckedFiles } | { state: 'missing' | 'wrong-hash'; files: null };
/** A model and its files on disk; only the files of a `ready` model may be loaded. */
export type Located<Row extends ModelRow = ModelRow> = { row: Row; detail: string; bytes: number } & Found;

const Stamps = z.record(
  z.string(),
  z.strictObject({ bytes: z.number(), mtimeMs: z.number(), sha256: z.string() }),
);

/**
 * Caches the hashes of files that have not changed, so that a start does not read 60 MB again. The cache is a file
 * beside the weights: anyone who can change it can change them, too.
 */
export function createHashes(modelsDir: string) {
  const file = join(modelsDir, 'verified.json');

  function read(): z.infer<typeof Stamps> {
    try {
      return Stamps.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      return {}; // absent or damaged: the hashes are computed again
    }
  }

  return async function hashOf({ path, bytes, mtimeMs }: CheckedFile): Promise<string> {
    const known = read()[path];
    if (known && known.bytes === bytes && known.mtimeMs === mtimeMs) return known.sha256;
    const sha256 = await sha256Of(path);
    try {
      writeFileAtomic(file, JSON.stringify({ ...read(), [path]: { bytes, mtimeMs, sha256 } }, null, 2));
    } catch {
      // Without write access the hash is computed at each start; nothing else is lost.
    }
    return sha256;
  };
}
export type HashOf = ReturnType<typeof createHashes>;

/** Searches the folders in turn for a model of the manifest; a wrong file in one does not hide a right one. */
export async function locateModel<Row extends ModelRow>(
  row: Row,
  folders: string[],
  hashOf: HashOf,
): Promise<Located<Row>> {
  const bytes = row.files.reduce((sum, file) => sum + file.bytes, 0);
  let wrong: string | null = null;
  for (const folder of folders.map((parent) => join(parent, row.id))) {
    if (row.files.some(({ name }) => !checkedFile(join(folder, name)))) continue;
    const files = filesIn(folder); // before hashing: a file replaced meanwhile will not match these times when it is loaded
    const bad = await firstWrong(folder, row.files, hashOf);
    if (bad === null && files) return { row, state: 'ready', files, bytes, detail: `in ${folder}` };
    wrong ??= `${bad} is not the file the manifest names; it is not used`;
  }
  return wrong === null
    ? { row, state: 'missing', files: null, bytes, detail: 'its files are not available' }
    : { row, state: 'wrong-hash', files: null, bytes, detail: wrong };
}

/** Finds the first file that is wrong or cannot be read. */
async function firstWrong(folder: string, wanted: ModelFile[], hashOf: HashOf): Promise<string | null> {
  for (const file of wanted) {
    const checked = checkedFile(join(folder, file.name));
    const right = checked?.bytes === file.bytes && (await hashOf(checked).catch(() => null)) === file.sha256;
    if (!right) return join(folder, file.name);
  }
  return null;
}

/** True when a setting names a folder, not a model of the manifest. */
export const isPath = (choice: string): boolean => /[\\/]/.test(choice);

const Config = z.looseObject({
  max_length_evaluated: z.number().int().min(8).optional(),
  max_position_embeddings: z.number().int().min(8).optional(),
});
const LONGEST_INPUT = 512;

/** A cross-encoder that the user chose by its path. They vouch for it, so no hash is checked. */
export function locateFolder(choice: string): Located<CrossEncoderRow> {
  const folder = resolve(choice);
  const files = filesIn(folder);
  const row: CrossEncoderRow = {
    id: basename(folder),
    role: 'cross-encoder',
    licence: 'not known',
    maxTokens: Math.min(LONGEST_INPUT, files ? longestInput(folder) : LONGEST_INPUT),
    files: [],
  };
  if (!files)
    return {
      row,
      state: 'missing',
      files: null,
      bytes: 0,
      detail: `${folder} needs ${WEIGHTS} and ${TOKENIZER}`,
    };
  return {
    row,
    state: 'ready',
    files,
    bytes: files.weights.bytes + files.tokenizer.bytes,
    detail: 'chosen by path',
  };
}

/** The length a model was evaluated with says more than the longest input it accepts. */
function longestInput(folder: string): number {
  try {
    const config = Config.parse(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')));
    return config.max_length_evaluated ?? config.max_position_embeddings ?? LONGEST_INPUT;
  } catch {
    return LONGEST_INPUT; // config.json is optional beside an ONNX file
  }
}

function filesIn(folder: string): CheckedFiles | null {
  const weights = checkedFile(join(folder, WEIGHTS));
  const tokenizer = checkedFile(join(folder, TOKENIZER));
  if (!weights || !tokenizer) return null;
  const key = [weights, tokenizer].map(({ path, bytes, mtimeMs }) => `${path}:${bytes}:${mtimeMs}`).join('|');
  return { key, weights, tokenizer };
}

function checkedFile(path: string): CheckedFile | null {
  try {
    const found = statSync(path);
    return found.isFile() ? { path, bytes: found.size, mtimeMs: found.mtimeMs } : null;
  } catch {
    return null; // absent, or in a folder without access
  }
}
