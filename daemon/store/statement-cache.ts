import type Database from 'better-sqlite3';
import { Lru } from '../platform/lru.ts';

const MOST_STATEMENTS = 500;

/** How rows come out: as objects, as their first column, or as arrays. */
type Mode = 'rows' | 'pluck' | 'raw';

/**
 * Compiles each statement once: compiling costs as much as running a small one, and each keeps native memory until it
 * is collected. A compiled statement keeps the mode it was switched to, so every mode of a text has a statement of its
 * own and `pluck()` and `raw()` answer with that one: no caller can change what another one reads.
 */
export class StatementCache {
  readonly #compile: (sql: string) => Database.Statement;
  /** By mode, so that a lookup needs no key made of both: recall looks up forty. */
  readonly #known: Record<Mode, Lru<string, Database.Statement>> = {
    rows: new Lru(MOST_STATEMENTS),
    pluck: new Lru(MOST_STATEMENTS),
    raw: new Lru(MOST_STATEMENTS),
  };

  constructor(compile: (sql: string) => Database.Statement) {
    this.#compile = compile;
  }

  get(sql: string, mode: Mode = 'rows'): Database.Statement {
    const known = this.#known[mode].get(sql);
    if (known && !known.busy) return known; // one that is being iterated cannot be run
    const statement = this.#fix(this.#compile(sql), sql, mode);
    this.#known[mode].set(sql, statement);
    return statement;
  }

  #fix(statement: Database.Statement, sql: string, mode: Mode): Database.Statement {
    if (mode !== 'rows') statement[mode]();
    return Object.assign(statement, {
      pluck: (on = true) => this.get(sql, on ? 'pluck' : 'rows'),
      raw: (on = true) => this.get(sql, on ? 'raw' : 'rows'),
      ...Object.fromEntries(FOR_GOOD.map((name) => [name, () => refuse(name)])),
    });
  }
}

/** Methods that would change a statement for everyone who shares it. */
const FOR_GOOD = ['bind', 'expand', 'safeIntegers'] as const;

function refuse(name: string): never {
  throw new TypeError(`${name}() would change a statement that others share`);
}
