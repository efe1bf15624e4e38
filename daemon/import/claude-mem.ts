import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { NoteInput } from '#contract/entities.ts';
import { firstSentence } from '../text/sentences.ts';
import { type Fields, text, time } from '../transcripts/fields.ts';
import { isFile } from './files.ts';
import type { Found, Importer } from './importer.ts';
import { tagsOf, titleOf } from './values.ts';

const TYPES: Readonly<Record<string, string>> = {
  bugfix: 'bug-fix',
  decision: 'decision',
  discovery: 'finding',
  gotcha: 'gotcha',
};
/** A log of work is worth less than a finding. */
const CONFIDENCE = { lesson: 0.6, log: 0.4 };

const fileOf = (path: string): string => (isFile(path) ? path : join(path, 'claude-mem.db'));

/** The database of claude-mem: its observations, and what its summaries say was learned. */
export const claudeMem: Importer = {
  kind: 'claude-mem',
  name: 'claude-mem’s database',
  detect: (path) =>
    /\.(?:db|sqlite3?)$/.test(fileOf(path)) &&
    isFile(fileOf(path)) &&
    tablesOf(fileOf(path)).includes('observations'),
  *read(path) {
    const tables = isFile(fileOf(path)) ? tablesOf(fileOf(path)) : [];
    if (!tables.includes('observations')) {
      yield { source: path, problem: 'it is not a database of claude-mem' };
      return;
    }
    const db = openUntrusted(fileOf(path));
    try {
      for (const row of rowsOf(db, 'observations')) yield observation(row);
      if (tables.includes('session_summaries'))
        for (const row of rowsOf(db, 'session_summaries')) yield* summary(row);
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error;
      yield { source: path, problem: `its database cannot be read further: ${error.message}` };
    } finally {
      db.close();
    }
  },
};

function openUntrusted(file: string): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  for (const setting of ['trusted_schema = OFF', 'cell_size_check = ON', 'mmap_size = 0']) db.pragma(setting);
  return db;
}

/** Names of its tables; none for a file that is no database. */
function tablesOf(file: string): string[] {
  const db = openUntrusted(file);
  try {
    return db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  } catch (error) {
    if (error instanceof Database.SqliteError) return [];
    throw error;
  } finally {
    db.close();
  }
}

function* rowsOf(db: Database.Database, table: 'observations' | 'session_summaries'): Generator<Fields> {
  for (const row of db.prepare<[], Fields>(`SELECT * FROM ${table} ORDER BY id`).iterate()) yield row;
}

function observation(row: Fields): Found {
  const source = `observation ${String(row.id)}`;
  const title = text(row, 'title') || firstSentence(text(row, 'narrative', 'text'), 160);
  if (title === '') return { source, problem: 'it has neither a title nor a text' };
  const type = text(row, 'type');
  const facts = strings(row.facts).map((fact) => `- ${fact}`);
  const files = [...new Set([...strings(row.files_modified), ...strings(row.files_read)])];
  const note: NoteInput = {
    title: titleOf(title),
    type: TYPES[type] ?? 'pattern',
    confidence: type in TYPES ? CONFIDENCE.lesson : CONFIDENCE.log,
    tags: tagsOf([...strings(row.concepts), ...(type ? [type] : [])]),
    keyInsight: text(row, 'subtitle'),
    body: [text(row, 'narrative', 'text'), facts.join('\n')].filter(Boolean).join('\n\n'),
    metadata: {
      ...(files.length > 0 ? { files } : {}),
      ...(typeof row.discovery_tokens === 'number' ? { discoveryTokens: row.discovery_tokens } : {}),
    },
  };
  return { source, note, ...placeOf(row) };
}

function* summary(row: Fields): Generator<Found> {
  const learned = text(row, 'learned').trim();
  if (learned === '') return;
  const request = text(row, 'request');
  yield {
    source: `summary ${String(row.id)}`,
    note: {
      title: titleOf(firstSentence(learned, 160)),
      type: 'finding',
      confidence: CONFIDENCE.lesson,
      body: learned,
      task: request,
    },
    ...placeOf(row),
  };
}

function placeOf(row: Fields): { project: string; createdAt?: number; updatedAt?: number } {
  const at = time(row.created_at_epoch ?? row.created_at);
  const project = text(row, 'merged_into_project', 'project');
  return at > 0 ? { project, createdAt: at, updatedAt: at } : { project };
}

/** A list of texts that is kept as JSON; older versions kept a plain text. */
function strings(value: unknown): string[] {
  if (typeof value !== 'string' || value.trim() === '') return [];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed)
      ? parsed.filter((each): each is string => typeof each === 'string')
      : [value];
  } catch {
    return [value];
  }
}
