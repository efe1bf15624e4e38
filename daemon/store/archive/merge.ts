import { Note, type Slot } from '#contract/entities.ts';
import { takeLineage, takeProjects } from './restore.ts';
import { NEWEST, type TableShape, tablesAt } from './schema.ts';
import { knowledgeVersion } from '../learnings/history.ts';
import type { ReadableDb, WritableDb } from '../db.ts';

export interface StagedLearning {
  id: string;
  note: Note;
  createdAt: number;
  updatedAt: number;
  /** Of its markdown, with `/`. */
  path: string;
  /** Why the file does not say what the note says; null when it does. */
  problem: string | null;
}

type Row = Omit<StagedLearning, 'note'> & { note: string };
const STAGED =
  'SELECT id, note, created_at AS createdAt, updated_at AS updatedAt, document_path AS path, document_problem AS problem';
const toStaged = ({ note, ...row }: Row): StagedLearning => ({ ...row, note: Note.parse(JSON.parse(note)) });

/** The learnings of a staged archive, one at a time. */
export function* stagedLearnings(staged: ReadableDb): Generator<StagedLearning> {
  for (const row of staged.prepare<[], Row>(`${STAGED} FROM learning ORDER BY seq`).iterate())
    yield toStaged(row);
}

/** One of them, where the archive is attached as `staged`. */
export function stagedLearning(db: ReadableDb, id: string): StagedLearning {
  return toStaged(db.prepare<[string], Row>(`${STAGED} FROM staged.learning WHERE id = ?`).get(id) as Row); // told of by the archive itself
}

/** Learnings here that are not among these. */
export function* learningsNotIn(
  db: ReadableDb,
  known: ReadonlySet<string>,
): Generator<{ id: string; title: string; project: string }> {
  const rows = db.prepare<[], { id: string; title: string; project: string }>(
    'SELECT id, title, project FROM learning ORDER BY seq',
  );
  for (const row of rows.iterate()) if (!known.has(row.id)) yield row;
}

const ADDED = '(SELECT id FROM temp.added)';

/**
 * Brings the history of the learnings a merge is about to add, which the addition continues. Numbers of changes are moved
 * beyond those that are taken here; gives by how much.
 */
export function takeHistory(db: WritableDb, added: readonly string[]): number {
  db.exec('CREATE TEMP TABLE added (id TEXT PRIMARY KEY)');
  const remember = db.prepare('INSERT INTO temp.added (id) VALUES (?)');
  for (const id of added) remember.run(id);
  const offset = knowledgeVersion(db);
  for (const shape of tablesAt(NEWEST))
    if (shape.name === 'change') takeOfAdded(db, shape, 'learning_id', offset);
  return offset;
}

/** All else that the archive knows and this knowledge base does not. What both know stays as it is here. */
export function takeRest(db: WritableDb, offset: number): void {
  takeProjects(db);
  for (const shape of parentsFirst(tablesAt(NEWEST))) {
    const { name, columns, merge, order } = shape;
    const [all, other] = [columns, columns.filter((column) => column !== 'id')].map((list) =>
      list.join(', '),
    );
    if (merge === 'missing')
      db.exec(
        `INSERT OR IGNORE INTO main.${name} (${all}) SELECT ${all} FROM staged.${name} ORDER BY ${order}`,
      );
    else if (merge === 'unlike')
      db.exec(
        `INSERT INTO main.${name} (${other}) SELECT ${other} FROM staged.${name} EXCEPT SELECT ${other} FROM main.${name}`,
      );
    else if (merge && name !== 'change') takeOfAdded(db, shape, merge.ofAdded, offset);
  }
  takeLineage(db, 'DO NOTHING', `learning_id IN ${ADDED}`);
  takeSignals(db);
  db.exec('DROP TABLE temp.added');
}

/** A review speaks of its trace, an iteration of its loop. */
const parentsFirst = (tables: TableShape[]) => {
  const isChild = ({ sql }: TableShape) => Number(/REFERENCES (?:trace|loop)\b/.test(sql));
  return tables.toSorted((one, other) => isChild(one) - isChild(other));
};

function takeOfAdded(db: WritableDb, { name, columns }: TableShape, column: string, offset: number): void {
  const ofChange = db
    .prepare<[string], string>(`SELECT "from" FROM pragma_foreign_key_list(?) WHERE "table" = 'change'`)
    .pluck()
    .all(name) as string[];
  const isChange = name === 'change';
  const taken = columns.filter((other) => isChange || other !== 'id');
  const moved = taken.map((other) => {
    if (ofChange.includes(other))
      return `(SELECT one.id + ${offset} FROM staged.change AS one WHERE one.id = ${name}.${other} AND one.learning_id IN ${ADDED})`;
    return isChange && other === 'id' ? `id + ${offset}` : other;
  });
  const both = name === 'merge_question' ? 'AND existing_id IN (SELECT id FROM main.learning)' : '';
  db.exec(
    `INSERT OR IGNORE INTO main.${name} (${taken.join(', ')}) SELECT ${moved.join(', ')} FROM staged.${name} WHERE ${column} IN ${ADDED} ${both} ORDER BY id`,
  );
}

function takeSignals(db: WritableDb): void {
  const columns =
    tablesAt(NEWEST)
      .find(({ name }) => name === 'learning_signal')
      ?.columns.filter((column) => column !== 'seq') ?? [];
  db.exec(`
    INSERT OR REPLACE INTO main.learning_signal (seq, ${columns.join(', ')}) SELECT here.seq, ${columns.join(', ')}
    FROM staged.learning_signal JOIN staged.learning AS there USING (seq) JOIN main.learning AS here ON here.id = there.id WHERE there.id IN ${ADDED}
  `);
}

type SlotText = Pick<Slot, 'project' | 'name' | 'content' | 'description'>;

/** Every slot, by project and name. */
export function slotsOf(db: ReadableDb): SlotText[] {
  return db
    .prepare<[], SlotText>('SELECT project, name, content, description FROM slot ORDER BY project, name')
    .all();
}
