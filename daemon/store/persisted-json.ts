import * as z from 'zod';

type Fields = Record<string, unknown>;

/** Turns a row of one version into one of the next. A field that was only added needs none: its default fills it in. */
type Upcast = (row: Fields) => Fields;

const FIRST = 1;

/**
 * A JSON column whose rows outlive the type they were written from. `v` holds the version that wrote a row; the first
 * version wrote none. Rows of the current version are trusted, because only `write` makes them: recall reads many
 * notes, and parsing one takes 16 µs, with its schema 55 µs. Older rows are upcast and checked by the schema.
 */
export class PersistedJson<S extends z.ZodObject> {
  readonly schema: S;
  readonly version: number;
  readonly #upcasts: Readonly<Record<number, Upcast>>;

  /** `upcasts[n]` makes version n + 1 of version n. */
  constructor(schema: S, version = FIRST, upcasts: Readonly<Record<number, Upcast>> = {}) {
    this.schema = schema;
    this.version = version;
    this.#upcasts = upcasts;
  }

  write(value: z.output<S>): string {
    return JSON.stringify(this.version === FIRST ? value : { ...value, v: this.version });
  }

  read(text: string): z.output<S> {
    const row = JSON.parse(text) as Fields & { v?: number };
    const { v = FIRST } = row;
    if (row.v !== undefined) delete row.v; // the last key, which is cheap to delete
    return v === this.version ? (row as z.output<S>) : this.schema.parse(this.#upcast(row, v));
  }

  readOrNull(text: string | null): z.output<S> | null {
    return text === null ? null : this.read(text);
  }

  /** Checks a row of any version that somebody else wrote, such as one of an archive. */
  get anyVersion(): z.ZodType {
    return z.preprocess((value) => {
      if (typeof value !== 'object' || value === null) return value;
      const { v = FIRST, ...row } = value as { v?: number };
      return this.#upcast(row, v);
    }, this.schema);
  }

  #upcast(row: Fields, from: number): Fields {
    let upcast = row;
    for (let version = from; version < this.version; version++)
      upcast = this.#upcasts[version]?.(upcast) ?? upcast;
    return upcast;
  }
}

/** A JSON column that is a list of ids, tags or the like; an absent one is empty. */
export const readStrings = (text: string | null | undefined): string[] =>
  text ? (JSON.parse(text) as string[]) : [];
