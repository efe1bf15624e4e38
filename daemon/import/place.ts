import { dirname, isAbsolute, sep } from 'node:path';
import { identifyProject } from '../platform/project.ts';
import type { ReadableDb } from '../store/db.ts';
import { listProjects, projectName } from '../store/learnings/learnings.ts';
import { knownProjects } from '../store/search/shards.ts';
import { isFile } from './files.ts';

export interface Place {
  project: string;
  /** A doubt that a person should know of; empty when the project is certain. */
  remark: string;
}

/** Finds the projects of foreign notes: other programs name them by a folder, or only by its last part. */
export class Places {
  readonly #known: ReadonlyArray<{ id: string; name: string }>;
  readonly #given: string | null;
  readonly #folder: string;

  /** `given` is a project a person named, `path` what is imported. */
  constructor(db: ReadableDb, given: string | undefined, path: string) {
    const seen = listProjects(db);
    const others = knownProjects(db).filter((id) => seen.every((project) => project.id !== id));
    this.#known = [...seen, ...others.map((id) => ({ id, name: projectName(db, id) }))];
    this.#given = given === undefined ? null : (this.#find(given) ?? given);
    this.#folder = isFile(path) ? dirname(path) : path;
  }

  /** A note must have a project: one without would be given to agents everywhere. */
  of(named: string): Place {
    const known = named === '' ? null : this.#find(named);
    if (known && !(this.#given && this.#isImported(named))) return { project: known, remark: '' };
    if (this.#given) return { project: this.#given, remark: '' };
    if (named === '')
      return { project: this.#find(this.#folder) ?? this.#folder, remark: 'it names no project' };
    return { project: named, remark: `${named} is not a project known here` };
  }

  /** A folder within the import only says where its files lie; a person who names a project knows better. */
  #isImported(named: string): boolean {
    return `${named}${sep}`.startsWith(`${this.#folder}${sep}`);
  }

  #find(named: string): string | null {
    if (isAbsolute(named)) return identifyProject(named)?.id ?? null;
    const lower = named.toLowerCase();
    const alike = this.#known.filter(
      ({ id, name }) =>
        id === named || name.toLowerCase() === lower || id.toLowerCase().endsWith(`/${lower}`),
    );
    return alike.length === 1 ? (alike[0]?.id ?? null) : null; // of two that are called alike, only a person knows which
  }
}
