import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomic } from '../platform/files.ts';
import { readTextIfExists } from '../platform/read-file.ts';
import { jsonOrNull } from '../platform/json.ts';
import { sha256 } from '../platform/sha256.ts';

/** One file we edited: its original and a hash of our version, so that uninstalling can restore it. */
const InstallRecord = z.object({
  file: z.string(),
  agent: z.string(),
  /** File name of the copy in this folder; null when there was no file before. */
  backup: z.string().nullable(),
  /** Hash of the text we wrote. */
  sha256: z.string(),
  /** Folders created for it, innermost first. */
  folders: z.array(z.string()),
});
export type InstallRecord = z.output<typeof InstallRecord>;

const LARGEST_COPY = { largest: 64 * 1024 * 1024 }; // bytes; copies of configuration files

/** The list of files we edited and copies of their originals, in a folder of Reflect's home. */
export class InstallRecords {
  readonly #folder: string;

  constructor(reflectHome: string) {
    this.#folder = join(reflectHome, 'installs');
  }

  of(file: string): InstallRecord | undefined {
    return this.#all().find((record) => record.file === file);
  }

  /** The original text; null when there was no file, undefined when the copy is gone. */
  original({ backup }: InstallRecord): string | null | undefined {
    if (backup === null) return null;
    return readTextIfExists(join(this.#folder, backup), LARGEST_COPY) ?? undefined;
  }

  /** Path of the copy of the original, to show to people. */
  copyOf(file: string): string | null {
    const backup = this.of(file)?.backup;
    return backup ? join(this.#folder, backup) : null;
  }

  /**
   * Saves a copy of the original. Called before the file itself is written, because a superfluous copy does no harm.
   */
  keep(file: string, original: string | null): string | null {
    if (original === null) return null;
    const name = `${sha256(file).slice(0, 12)}-${basename(file)}`;
    writeFileAtomic(join(this.#folder, name), original);
    return name;
  }

  put(record: InstallRecord): void {
    this.#write([...this.#all().filter(({ file }) => file !== record.file), record]);
  }

  drop(record: InstallRecord): void {
    this.#write(this.#all().filter(({ file }) => file !== record.file));
    if (record.backup !== null) rmSync(join(this.#folder, record.backup), { force: true });
  }

  #all(): InstallRecord[] {
    const list = join(this.#folder, 'installs.json');
    const parsed = z.array(InstallRecord).safeParse(jsonOrNull(readTextIfExists(list) ?? '[]'));
    return parsed.success ? parsed.data : []; // without the list, uninstalling still removes our entries, but not byte for byte
  }

  #write(records: InstallRecord[]): void {
    writeFileAtomic(join(this.#folder, 'installs.json'), `${JSON.stringify(records, null, 2)}\n`);
  }
}
