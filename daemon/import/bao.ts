import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NoteInput } from '#contract/entities.ts';
import { firstSentence } from '../text/sentences.ts';
import { type Fields, isFields, parseRecord, text } from '../transcripts/fields.ts';
import { firstFiles, inFiles, isFolder, reading, readText } from './files.ts';
import { type Found, type Importer, Unreadable } from './importer.ts';
import { dateOf, tagsOf, titleOf } from './values.ts';

const ROWS = /\.(?:jsonl|ndjson|json)$/;
const TEXTS = /\.(?:md|txt)$/;
const ENTRY = /^\[Task\]\s/m;
const NAMES = 'Task|Outcome|Category|Quality|Uses|Successes|Lessons|Keywords|Trace';
/** `[Task] …` holds everything in its text; later versions write `Task: …` and keep the rest in columns. */
const FIELD = new RegExp(
  `^(?:\\[(${NAMES})\\]|(${NAMES}):)\\s*([\\s\\S]*?)(?=^(?:\\[(?:${NAMES})\\]|(?:${NAMES}):)|$(?![\\s\\S]))`,
  'gm',
);
const TABLE = /\.lance$/;
const howToExport = (table: string) =>
  [
    'only LanceDB itself reads Bao’s table. Export it with the Python that runs Bao, then import bao.jsonl: ',
    'python -c "import json, lancedb, sys; [print(json.dumps(row, default=str)) for row in ',
    `lancedb.connect(sys.argv[1]).open_table('memory').to_arrow().to_pylist()]" "${dirname(table)}" > bao.jsonl`,
  ].join('');

const isExport = (file: string): boolean => ROWS.test(file) || TEXTS.test(file);

/** Experiences of Bao: rows exported from its table, or texts of `[Task] … [Outcome] … [Lessons] …`. */
export const bao: Importer = {
  kind: 'bao',
  name: 'Bao’s experiences',
  detect: (path) => tableIn(path) !== null || firstFiles(path, isExport, 50).some(hasExperience),
  *read(path) {
    const table = tableIn(path);
    if (table !== null) {
      yield { source: table, problem: howToExport(table) };
      return;
    }
    yield* inFiles(path, isExport, (file, source) =>
      ROWS.test(file) ? fromRows(file, source) : fromTexts(readText(file), source),
    );
  },
};

/** The LanceDB table in a folder, in Bao's workspace around it, or the folder itself. */
function tableIn(path: string): string | null {
  if (!isFolder(path)) return null;
  if (TABLE.test(path)) return path;
  const folders = [path, join(path, 'lancedb')].filter(isFolder);
  const tables = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  return tables.find((name) => TABLE.test(name)) ?? null;
}

function hasExperience(file: string): boolean {
  try {
    const written = readText(file);
    return TEXTS.test(file) ? ENTRY.test(written) : rowsIn(written).some(isExperience);
  } catch {
    return false; // another file, which decides nothing
  }
}

const isExperience = (row: Fields): boolean =>
  row.type === 'experience' && fieldsIn(text(row, 'content')).Lessons !== undefined;

const fieldsIn = (content: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...content.matchAll(FIELD)].map(([, inBrackets, beforeColon, value = '']) => [
      inBrackets ?? beforeColon ?? '',
      value.trim(),
    ]),
  );

/** Rows as a list, or one a line. */
function rowsIn(written: string): Fields[] {
  if (written.trimStart().startsWith('[')) return (JSON.parse(written) as unknown[]).filter(isFields);
  return written
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseRecord);
}

function* fromRows(file: string, source: string): Generator<Found> {
  for (const [index, row] of rowsIn(readText(file)).entries()) {
    const place = `${source}, row ${index + 1}`;
    if (row.type !== 'experience')
      yield { source: place, skipped: `it is ${text(row, 'type') || 'a row'}, not an experience` };
    else if (row.deprecated === true || text(row, 'content').startsWith('[Deprecated]'))
      yield { source: place, skipped: 'it is deprecated there' };
    else yield* reading(place, () => [experience(text(row, 'content'), place, dateOf(row.updated_at), row)]);
  }
}

function* fromTexts(written: string, source: string): Generator<Found> {
  const entries = written.split(/^(?=\[Task\]\s)/m).filter((entry) => ENTRY.test(entry));
  for (const [index, entry] of entries.entries()) {
    const place = `${source}, experience ${index + 1}`;
    yield* reading(place, () => [experience(entry, place, undefined, {})]);
  }
}

function experience(content: string, source: string, at: number | undefined, row: Fields): Found {
  const said = fieldsIn(content);
  const lesson = said.Lessons ?? '';
  const task = said.Task ?? '';
  if (lesson === '') throw new Unreadable('it has no lessons');
  const failed = /^fail/i.test(said.Outcome || text(row, 'outcome'));
  const quality = Number(said.Quality ?? row.quality ?? 3);
  const note: NoteInput = {
    title: titleOf(firstSentence(lesson, 160)),
    type: failed ? 'gotcha' : 'pattern',
    category: said.Category || text(row, 'category') || 'general',
    rule: lesson,
    task,
    outcome: failed ? 'fail' : 'pass',
    body: said.Trace ?? '',
    tags: tagsOf(said.Keywords ?? ''),
    confidence: Number.isFinite(quality) ? Math.min(1, Math.max(0, quality / 5)) : 0.6,
    metadata: {
      quality,
      uses: Number(said.Uses ?? row.uses ?? 0),
      successes: Number(said.Successes ?? row.successes ?? 0),
    },
  };
  return { source, note, ...(at ? { createdAt: at, updatedAt: at } : {}) };
}
