import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { Entity, Learning, Note, type Provenance, Relation } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import { SIGNAL_NAMES } from './signals.ts';

/** A learning as a person finds it on disk: markdown with YAML front matter, and its entities beside it. */
export interface Document {
  markdown: string;
  sidecar: string;
}

/** The files as found on disk; a person may have deleted the second one. */
export interface DocumentFiles {
  markdown: string;
  sidecar: string | null;
}

export interface ParsedDocument {
  /** Null when the file does not name its id; its file name does then. */
  id: string | null;
  createdAt: number | null;
  updatedAt: number | null;
  note: Note;
  /** The file contained usage signals, which were removed (S9). */
  stripped: boolean;
}

/** Thrown for a file a person broke; the message is shown in the UI beside the last good version. */
export class DocumentProblem extends Error {
  override readonly name = 'DocumentProblem';
}

type Written = Pick<Learning, 'id' | 'createdAt' | 'updatedAt'> & Note;

// Front matter uses snake_case; fields not listed keep their name. The order here is the order on disk.
const KEYS: ReadonlyArray<[keyof Note, string]> = [
  ['title', 'title'],
  ['category', 'category'],
  ['type', 'type'],
  ['tags', 'tags'],
  ['confidence', 'confidence'],
  ['project', 'project'],
  ['branch', 'branch'],
  ['scope', 'scope'],
  ['status', 'status'],
  ['isLatest', 'is_latest'],
  ['supersededBy', 'superseded_by'],
  ['speculative', 'speculative'],
  ['validated', 'validated'],
  ['problem', 'problem'],
  ['rootCause', 'root_cause'],
  ['fix', 'fix'],
  ['rule', 'rule'],
  ['keyInsight', 'key_insight'],
  ['outcome', 'outcome'],
  ['task', 'task'],
  ['summary', 'summary'],
  ['keyMistake', 'key_mistake'],
  ['correctAction', 'correct_action'],
  ['applicableTools', 'applicable_tools'],
  ['guidance', 'guidance'],
  ['toolsUsed', 'tools_used'],
  ['metadata', 'metadata'],
  ['unverifiedRefs', 'unverified_refs'],
];
const PROVENANCE_KEYS: ReadonlyArray<[keyof Provenance, string]> = [
  ['agent', 'agent'],
  ['session', 'session'],
  ['transcript', 'transcript'],
  ['chunk', 'chunk'],
  ['spanStart', 'span_start'],
  ['spanEnd', 'span_end'],
  ['commit', 'commit'],
  ['quote', 'quote'],
];
const ALWAYS: ReadonlySet<keyof Note> = new Set(['title', 'category', 'type', 'tags', 'confidence']);
const EMPTY = Note.parse({ title: 'empty' });

/**
 * The note as a file can hold it, so that row and file match exactly: JSON values, valid characters, `\n` line ends and no
 * trailing blanks in the body. Rendering and parsing it again does not change it.
 */
export function normaliseNote(note: Note): Note {
  // Half an emoji, left by cutting a text, cannot be encoded in UTF-8.
  const clean = JSON.parse(JSON.stringify(note), (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  ) as Note;
  return { ...clean, body: bodyOf(clean) };
}

const bodyOf = ({ body }: Pick<Note, 'body'>) => lines(body).trimEnd();
const lines = (text: string) => text.replace(/\r\n?/g, '\n');

const ODD = /\\|[^\p{L}\p{N}\p{P}\p{S} ]/u;

/** Readable YAML where that is lossless; text that YAML would fold or cannot hold, such as some blanks, is quoted. */
function yaml(value: object): string {
  const options = { lineWidth: 0, aliasDuplicateObjects: false } as const;
  const readable = stringify(value, options);
  // Parsing it again is slow; plain words on one line need no check.
  const keeps = !ODD.test(JSON.stringify(value)) || reads(readable, value);
  return keeps
    ? readable
    : stringify(value, {
        ...options,
        defaultStringType: 'QUOTE_DOUBLE',
        defaultKeyType: 'PLAIN',
        doubleQuotedAsJSON: true,
      });
}

function reads(source: string, value: object): boolean {
  try {
    return same(parse(source, { logLevel: 'error' }), value);
  } catch {
    return false; // the YAML library cannot always parse its own output
  }
}

export function renderDocument(learning: Written): Document {
  const front: Record<string, unknown> = {
    id: learning.id,
    created: iso(learning.createdAt),
    updated: iso(learning.updatedAt),
  };
  for (const [field, key] of KEYS) {
    // Empty fields are left out, which keeps files and diffs short.
    if (ALWAYS.has(field) || !same(learning[field], EMPTY[field])) front[key] = learning[field];
  }
  if (learning.forgetAfter !== null) front.forget_after = iso(learning.forgetAfter);
  const provenance = PROVENANCE_KEYS.filter(
    ([field]) => learning.provenance[field] !== EMPTY.provenance[field],
  ).map(([field, key]) => [key, learning.provenance[field]]);
  if (provenance.length > 0) front.provenance = Object.fromEntries(provenance);
  const body = bodyOf(learning);
  return {
    markdown: `---\n${yaml(front)}---\n${body ? `\n${body}\n` : ''}`,
    sidecar: renderSidecar(learning),
  };
}

function renderSidecar({ id, updatedAt, entities, relations }: Written): string {
  return yaml({
    document_id: id,
    extracted_at: iso(updatedAt),
    entities,
    relationships: relations.map(({ committedAt, validFrom, validTo, ...edge }) => ({
      ...edge,
      ...(committedAt === null ? {} : { tcommit: iso(committedAt) }),
      ...(validFrom === null ? {} : { tvalid: iso(validFrom) }),
      ...(validTo === null ? {} : { tvalid_end: iso(validTo) }),
    })),
  });
}

const Front = z.looseObject({
  id: Learning.shape.id.optional(),
  created: z.coerce.string().optional(),
  updated: z.coerce.string().optional(),
  forget_after: z.coerce.string().nullish(),
  provenance: z.record(z.string(), z.unknown()).nullish(),
});

// The closing --- needs its own line, because a value may end in dashes. The line end before it belongs to the front matter.
const FRONT_AND_BODY = /^---[ \t]*\n([\s\S]*?\n)??---[ \t]*(?:\n([\s\S]*))?$/;

/** Parses a file a person may have edited. Throws a DocumentProblem that names the field. */
export function parseDocument({ markdown, sidecar }: DocumentFiles, stripSignals = true): ParsedDocument {
  const parts = lines(markdown.replace(/^\uFEFF/, '')).match(FRONT_AND_BODY);
  if (!parts) throw new DocumentProblem('the file does not begin with front matter between two lines of ---');
  const [, front = '', body = ''] = parts;
  const { id, created, updated, forget_after, provenance, ...rest } = check(
    Front,
    readYaml(front, 'front matter'),
    'front matter',
  );
  const input: Record<string, unknown> = { body: body.replace(/^\n/, ''), ...readSidecar(sidecar) };
  const isVolatile = (key: string) => stripSignals && SIGNAL_NAMES.has(key);
  for (const [key, value] of Object.entries(rest)) {
    if (isVolatile(key)) continue;
    const field = KEYS.find(([, written]) => written === key)?.[0];
    if (!field) throw new DocumentProblem(`the front matter has a field Reflect does not know: ${key}`);
    input[field] = value ?? undefined;
  }
  if (forget_after) input.forgetAfter = time(forget_after, 'forget_after');
  if (provenance) input.provenance = rename(provenance, PROVENANCE_KEYS);
  return {
    id: id ?? null,
    createdAt: created === undefined ? null : time(created, 'created'),
    updatedAt: updated === undefined ? null : time(updated, 'updated'),
    note: normaliseNote(
      check(Note, input, 'front matter', (field) => KEYS.find(([name]) => name === field)?.[1] ?? field),
    ),
    stripped: Object.keys(rest).some(isVolatile),
  };
}

const Sidecar = z.strictObject({
  document_id: z.unknown().optional(),
  extracted_at: z.unknown().optional(),
  entities: z.array(Entity).nullish(),
  relationships: z
    .array(
      z.looseObject({
        tcommit: z.coerce.string().optional(),
        tvalid: z.coerce.string().optional(),
        tvalid_end: z.coerce.string().optional(),
      }),
    )
    .nullish(),
});

function readSidecar(sidecar: string | null): { entities?: Entity[]; relations?: Relation[] } {
  if (sidecar === null) return {};
  const { entities, relationships } = check(Sidecar, readYaml(sidecar, 'entities file'), 'entities file');
  const relations = (relationships ?? []).map(({ tcommit, tvalid, tvalid_end, ...edge }, index) =>
    check(
      Relation,
      {
        ...edge,
        committedAt: tcommit ? time(tcommit, 'tcommit') : null,
        validFrom: tvalid ? time(tvalid, 'tvalid') : null,
        validTo: tvalid_end ? time(tvalid_end, 'tvalid_end') : null,
      },
      'entities file',
      (field) => `relationships.${index}.${field}`,
    ),
  );
  return { entities: entities ?? [], relations };
}

function readYaml(source: string, where: string): unknown {
  try {
    return parse(source, { logLevel: 'error' }) ?? {};
  } catch (error) {
    throw new DocumentProblem(`the ${where} is not valid YAML: ${(error as Error).message.split('\n')[0]}`);
  }
}

/** `nameOf` returns the name a field has in the file. */
function check<T extends z.ZodType>(
  schema: T,
  value: unknown,
  where: string,
  nameOf = (field: string) => field,
): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const [field, ...inside] = issue?.path ?? [];
  const name = field === undefined ? 'it' : [nameOf(String(field)), ...inside].join('.');
  throw new DocumentProblem(`the ${where} is not valid: ${name}: ${issue?.message}`);
}

function rename(
  value: Record<string, unknown>,
  keys: ReadonlyArray<[string, string]>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      keys.find(([, written]) => written === key)?.[0] ?? key,
      entry,
    ]),
  );
}

function time(written: string, field: string): number {
  const at = /^[+-]?\d{4,6}-\d\d-\d\d/.test(written) ? Date.parse(written) : NaN;
  if (Number.isNaN(at) || at < 0) throw new DocumentProblem(`${field} is not a date: ${written}`);
  return at;
}

const LAST_INSTANT = 8.64e15; // ms; the latest date JavaScript has

function iso(at: number): string {
  if (at > LAST_INSTANT) throw new DaemonError('bad-input', `${at} is later than any date`);
  return new Date(at).toISOString();
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
