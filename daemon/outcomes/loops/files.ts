import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { DaemonError } from '#contract/errors.ts';
import { type LoopIteration, ReflectionMemory } from '#contract/loops.ts';
import { writeFileAtomic } from '../../platform/files.ts';
import { readText } from '../../platform/read-file.ts';
import { isInside } from '../../platform/safe-path.ts';
import { flag } from '../../ports/knob.ts';
import type { PortCard } from '../../ports/port.ts';

export const loopFiles = {
  id: 'loops.files',
  seeds: [],
  doc: 'Writes every reflection also to .aiwg/ralph/reflections, as AIWG does, in projects that have a folder .aiwg/ralph.',
  switch: flag(
    'REFLECT_LOOP_FILES',
    true,
    'Write reflections to .aiwg/ralph in projects that have that folder',
  ),
  knobs: {},
} satisfies PortCard;

const HOME = join('.aiwg', 'ralph');
const FOLDER = join(HOME, 'reflections');
const LARGEST = 4 * 1024 * 1024; // bytes
const MOST_FILES = 10_000;

export const hasLoopFiles = (root: string): boolean => root !== '' && existsSync(join(root, HOME));

/**
 * Writes the failed attempts of a loop as `<loop>/001.json` and so on; a file that holds the attempt already may say
 * more than we know, and stays. Returns the files, relative to the project.
 */
export function writeReflections(
  root: string,
  loopId: string,
  iterations: readonly LoopIteration[],
): string[] {
  const folder = join(root, FOLDER, loopId);
  mkdirSync(folder, { recursive: true });
  if (!isInside(realpathSync(root), realpathSync(folder)))
    throw new DaemonError('forbidden', `${FOLDER} leads out of the project through a link`);
  return iterations
    .filter(({ record }) => record.self_reflection)
    .map(({ record }) => {
      const file = join(folder, `${String(record.iteration + 1).padStart(3, '0')}.json`);
      if (!holds(file, record)) writeFileAtomic(file, `${JSON.stringify(record, null, 2)}\n`, 0o644);
      return relative(root, file);
    });
}

interface ReadReflections {
  records: ReflectionMemory[];
  problems: Array<{ file: string; problem: string }>;
}

/** Reads the reflections of a project: `<loop>/001.json`, or files in the folder itself. Links are not followed. */
export function readReflections(root: string): ReadReflections {
  const folder = join(root, FOLDER);
  if (!existsSync(folder)) throw new DaemonError('not-found', `there is no ${FOLDER} in ${root}`);
  const found: ReadReflections = { records: [], problems: [] };
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json') && name.split(sep).length <= 2)
    .toSorted()
    .slice(0, MOST_FILES);
  for (const name of files) {
    const read = readOne(join(folder, name));
    if (typeof read === 'string') found.problems.push({ file: join(FOLDER, name), problem: read });
    else found.records.push(read);
  }
  return found;
}

function holds(file: string, { iteration, timestamp }: LoopIteration['record']): boolean {
  const there = existsSync(file) ? readOne(file) : '';
  return typeof there !== 'string' && there.iteration === iteration && there.timestamp === timestamp;
}

/** The record, or why it cannot be read. */
function readOne(file: string): ReflectionMemory | string {
  const stat = lstatSync(file);
  if (!stat.isFile()) return 'it is not a file';
  if (stat.size > LARGEST) return 'it is larger than 4 MB';
  try {
    // AIWG may add fields that the schema does not have yet; they are left out.
    const parsed = ReflectionMemory.strip().safeParse(JSON.parse(readText(file, { largest: LARGEST })));
    const [issue] = parsed.error?.issues ?? [];
    return parsed.success ? parsed.data : `${issue?.path.join('.')}: ${issue?.message}`;
  } catch (error) {
    return (error as Error).message;
  }
}
