import type { WritableDb } from '../db.ts';
import { addLineage, addProjects, columnsBut } from './ingest.ts';
import { type TableShape, tablesOf } from './schema.ts';

/** The change numbers of an archive are moved beyond those in use here: by `offset`, up to the archive's `last`. */
export interface Shift {
  offset: number;
  last: number;
}

const SLICE = 200; // rows

/**
 * The rows of an archive that is attached as `staged`, copied in small transactions. Every step may be repeated: what
 * is here already is not copied again, so that a merge can continue after a crash.
 */
export class MergedRows {
  readonly #db: WritableDb;
  readonly #shift: Shift;
  readonly #tables: TableShape[];
  readonly #lineage: string[];

  constructor(db: WritableDb, shift: Shift) {
    this.#db = db;
    this.#shift = shift;
    this.#tables = tablesOf(db); // an archive was brought to the same version
    this.#lineage = addLineage('DO NOTHING', this.#tables, `learning_id IN ${AMONG}`);
  }

  /** Copies the history of learnings that are about to be added, so that it comes before the change that adds them. */
  addHistory(ids: readonly string[]): void {
    const change = this.#table('change');
    const moved = change.columns.map((column) => {
      if (column === 'id') return `id + ${this.#shift.offset}`;
      return this.#changeColumns('change').includes(column) ? 'NULL' : column; // linked at the end
    });
    this.#run(
      `INSERT INTO main.change (${change.columns.join(', ')}) SELECT ${moved.join(', ')} FROM staged.change WHERE learning_id IN ${AMONG} ORDER BY id`,
      { ids },
    );
  }

  /** Copies the origin and the signals of learnings that were just added. */
  addTraits(ids: readonly string[]): void {
    const given = { ids };
    for (const sql of this.#lineage) this.#run(sql, given);
    const columns = columnsBut('seq', 'learning_signal', this.#tables);
    this.#run(
      `INSERT OR REPLACE INTO main.learning_signal (seq, ${columns}) SELECT here.seq, ${columns}
       FROM staged.learning_signal JOIN staged.learning AS there USING (seq) JOIN main.learning AS here ON here.id = there.id
       WHERE there.id IN ${AMONG}`,
      given,
    );
  }

  /** Copies everything that only the archive has, slice by slice. `unit` is the event that added the learnings. */
  *addRest(unit: number | null): Generator<void> {
    addProjects(this.#db);
    for (const shape of parentsFirst(this.#tables)) {
      if (shape.name === 'change') yield* this.#slices('change', (range) => this.#linkChanges(range));
      else if (shape.merge === 'missing')
        yield* this.#slices(shape.name, (range) => this.#addMissing(shape, range));
      else if (shape.merge === 'unlike')
        yield* this.#slices(shape.name, (range) => this.#addUnlike(shape, range));
      else if (shape.merge && unit !== null) {
        const { ofAdded } = shape.merge;
        yield* this.#slices(shape.name, (range) => this.#addOfLearnings(shape, ofAdded, { ...range, unit }));
      }
    }
  }

  *#slices(table: string, copy: (range: Range) => void): Generator<void> {
    const end = this.#db
      .prepare<[number, number], number | null>(
        `SELECT max(rowid) FROM (SELECT rowid FROM staged.${table} WHERE rowid > ? ORDER BY rowid LIMIT ?)`,
      )
      .pluck();
    for (let after = 0, until = end.get(0, SLICE); until; after = until, until = end.get(after, SLICE)) {
      const range = { after, until };
      this.#db.transaction(() => copy(range))();
      yield;
    }
  }

  /** A change may refer to one that was copied after it. */
  #linkChanges(range: Range): void {
    const { offset, last } = this.#shift;
    for (const column of this.#changeColumns('change'))
      this.#run(
        `UPDATE main.change SET ${column} = there.${column} + ${offset} FROM staged.change AS there
         WHERE main.change.id = there.id + ${offset} AND there.id > :after AND there.id <= min(:until, ${last})
           AND there.${column} <= ${last} AND EXISTS (SELECT 1 FROM main.change AS other WHERE other.id = there.${column} + ${offset})`,
        range,
      );
  }

  #addMissing({ name, columns }: TableShape, range: Range): void {
    const all = columns.join(', ');
    this.#run(
      `INSERT OR IGNORE INTO main.${name} (${all}) SELECT ${all} FROM staged.${name} WHERE ${IN_RANGE} ORDER BY rowid`,
      range,
    );
  }

  #addUnlike({ name, columns, decided }: TableShape, range: Range): void {
    const other = columns.filter((column) => column !== 'id').join(', ');
    const compared = columns.filter((column) => column !== 'id' && column !== decided).join(', ');
    this.#run(
      `INSERT INTO main.${name} (${other}) SELECT DISTINCT ${other} FROM staged.${name}
       WHERE ${IN_RANGE} AND (${compared}) NOT IN (SELECT ${compared} FROM main.${name})`,
      range,
    );
  }

  #addOfLearnings({ name, columns }: TableShape, column: string, given: Range & { unit: number }): void {
    const { offset, last } = this.#shift;
    const references = this.#changeColumns(name);
    const taken = columns.filter((each) => each !== 'id');
    const moved = taken.map((each) =>
      references.includes(each)
        ? `(SELECT id FROM main.change WHERE id = there.${each} + ${offset} AND there.${each} <= ${last})`
        : `there.${each}`,
    );
    const same = taken
      .filter((each) => !references.includes(each))
      .map((each) => `here.${each} IS there.${each}`)
      .join(' AND ');
    const both = name === 'merge_question' ? 'AND existing_id IN (SELECT id FROM main.learning)' : '';
    this.#run(
      `INSERT OR IGNORE INTO main.${name} (${taken.join(', ')}) SELECT ${moved.join(', ')} FROM staged.${name} AS there
       WHERE ${IN_RANGE} AND ${column} IN (SELECT learning_id FROM main.change WHERE id = :unit OR unit = :unit) ${both}
         AND NOT EXISTS (SELECT 1 FROM main.${name} AS here WHERE ${same}) ORDER BY rowid`,
      given,
    );
  }

  #changeColumns(table: string): string[] {
    return this.#db.values<string>(
      `SELECT "from" FROM pragma_foreign_key_list(?) WHERE "table" = 'change'`,
      table,
    );
  }

  #table(name: string): TableShape {
    return this.#tables.find((table) => table.name === name) as TableShape; // the tables are our own
  }

  #run(sql: string, given: object): void {
    this.#db.run(sql, given);
  }
}

interface Range {
  after: number;
  until: number;
}

const IN_RANGE = 'rowid > :after AND rowid <= :until';
const AMONG = '(SELECT value FROM json_each(:ids))';

/** A review refers to its trace, an iteration to its loop. */
const parentsFirst = (tables: TableShape[]) => {
  const isChild = ({ sql }: TableShape) => Number(/REFERENCES (?:trace|loop)\b/.test(sql));
  return tables.toSorted((one, other) => isChild(one) - isChild(other));
};

/**
 * The shift of an archive whose learnings of these ids are added; `first` is the one that must come first, so that
 * later changes here get higher numbers.
 */
export function shiftFor(
  db: WritableDb,
  ids: readonly string[],
  offset: number,
): { shift: Shift; first: string | null } {
  // Read from the newest on: a query that takes all ids would keep everybody waiting.
  const added = new Set(ids);
  const changes = db
    .prepare<[], { id: number; learning: string }>(
      'SELECT id, learning_id AS learning FROM staged.change ORDER BY id DESC',
    )
    .iterate();
  let newest: { id: number; learning: string } | undefined;
  for (const change of changes) {
    if (!added.has(change.learning)) continue;
    newest = change;
    break;
  }
  return { shift: { offset, last: newest?.id ?? 0 }, first: newest?.learning ?? null };
}
