import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isInside } from './safe-path.ts';

const LARGEST = 1024 * 1024; // bytes; enough for every configuration file
/** Opening a pipe would wait for a writer, and some system files for data. Not every system has the flag. */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

interface ReadRule {
  /** A larger file is refused, in bytes. */
  largest?: number;
  /** The folder that links must not lead out of; without it they may lead anywhere. */
  within?: string;
}

/** A file that is missing or must not be read; the message says why. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  /** The reason without the path, for lists that show the path already. */
  readonly why: string;
  readonly isMissing: boolean;

  constructor(file: string, why: string, isMissing = false) {
    super(`${file} ${why}`);
    this.why = why;
    this.isMissing = isMissing;
  }
}

/**
 * Reads a file that Reflect did not write. A repository, an agent or another program may have put anything in its
 * place: a link to a device, a pipe, a folder, gigabytes. Only a regular file of a bounded size is read, so no file can
 * hang or fill the daemon. `layers.test.ts` makes sure that every part reads through here.
 */
export function readBytes(file: string, { largest = LARGEST, ...rule }: ReadRule = {}): Buffer {
  const descriptor = openToRead(file, rule);
  try {
    const { size } = fstatSync(descriptor);
    if (size > largest) throw new UnreadableFile(file, `is too large: ${size} bytes, ${largest} are allowed`);
    return readAt(descriptor, 0, size);
  } finally {
    closeSync(descriptor);
  }
}

export const readText = (file: string, rule?: ReadRule): string => readBytes(file, rule).toString('utf8');

/** Null when there is no such file; throws for one that must not be read. */
export function readTextIfExists(file: string, rule?: ReadRule): string | null {
  try {
    return readText(file, rule);
  } catch (error) {
    if (error instanceof UnreadableFile && error.isMissing) return null;
    throw error;
  }
}

/** Empty when the file is missing or must not be read, for readers that have something else to fall back on. */
export function readTextOrEmpty(file: string, rule?: ReadRule): string {
  try {
    return readText(file, rule);
  } catch {
    return '';
  }
}

/** The descriptor of a regular file, for those who read it piece by piece. The caller closes it. */
export function openToRead(file: string, { within }: Pick<ReadRule, 'within'> = {}): number {
  const descriptor = translated(file, () => {
    if (within !== undefined) refuseOutside(file, within);
    return openSync(file, WITHOUT_WAITING);
  });
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new UnreadableFile(file, 'is not a file');
}

/** The same for readers that wait between two pieces. */
export async function openHandle(file: string): Promise<FileHandle> {
  const handle = await open(file, WITHOUT_WAITING).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new UnreadableFile(file, 'is not a file');
}

/** Up to this many bytes from a position on; fewer at the end of the file. */
export function readAt(descriptor: number, position: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  let filled = 0;
  while (filled < bytes) {
    const read = readSync(descriptor, buffer, filled, bytes - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}

/** The file or folder behind a path; null when it leads nowhere, be it missing, forbidden or a link to itself. */
export const fileStat = (path: string): Stats | null =>
  orNull(() => statSync(path, { throwIfNoEntry: false }));

/** The same for the path itself, which may be a link. */
export const linkStat = (path: string): Stats | null =>
  orNull(() => lstatSync(path, { throwIfNoEntry: false }));

function orNull(look: () => Stats | undefined): Stats | null {
  try {
    return look() ?? null;
  } catch {
    return null;
  }
}

function refuseOutside(file: string, folder: string): void {
  if (!isInside(realpathSync(folder), realpathSync(file)))
    throw new UnreadableFile(file, `is a link that leads out of ${folder}`);
}

function translated<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof UnreadableFile ? error : unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): UnreadableFile {
  const { code, message } = error as NodeJS.ErrnoException; // fs throws nothing else
  return GONE.has(code)
    ? new UnreadableFile(file, 'does not exist', true)
    : new UnreadableFile(file, `cannot be read: ${code ?? message}`);
}
