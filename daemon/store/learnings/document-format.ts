import * as z from 'zod';
import { Entity, Learning, Note, type Provenance, Relation } from '#contract/entities.ts';
import { check, DocumentProblem, iso, readYaml, same, time, yaml } from './document-yaml.ts';
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

interface ParsedDocument {
  /** Null when the file does not name its id; its file name does then. */
  id: string | null;
  createdAt: number | null;
  updatedAt: number | null;
  note: Note;
  /** The file contained usage signals, which were removed (S9). */
  stripped: boolean;
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

/** Every key of the front matter that has a meaning here. */
export const OUR_KEYS: ReadonlySet<string> = new Set([
  ...KEYS.map(([, key]) => key),
  ...['id', 'created', 'updated', 'forget_after', 'provenance'],
]);

/**
 * The note as a file can hold it, so that row and file match exactly: JSON values, valid characters, `\n` line ends and
 * no trailing blanks in the body. Rendering and parsing it again does not change it.
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
  for (const [key, value] of Object.entries(learning.frontMatter ?? {}))
    if (!OUR_KEYS.has(key)) front[key] = value;
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

// The closing --- needs its own line, because a value may end in dashes. The line end before it belongs to the front
// matter.
const FRONT_AND_BODY = /^---[ \t]*\n([\s\S]*?\n)??---[ \t]*(?:\n([\s\S]*))?$/;

/** Parses a file a person may have edited. Throws a DocumentProblem that names the field. */
export function parseDocument({ markdown, sidecar }: DocumentFiles, stripSignals = true): ParsedDocument {
  const { front, body } = splitFrontMatter(markdown);
  if (front === null)
    throw new DocumentProblem('the file does not begin with front matter between two lines of ---');
  return documentFrom({ front, body, sidecar }, stripSignals);
}

/** The front matter of a markdown file and the text below it; null for a file without any. */
export function splitFrontMatter(markdown: string): { front: unknown; body: string } {
  const text = lines(markdown.replace(/^\uFEFF/, ''));
  const parts = text.match(FRONT_AND_BODY);
  if (!parts) return { front: null, body: text };
  const [, front = '', body = ''] = parts;
  return { front: readYaml(front, 'front matter'), body: body.replace(/^\n/, '') };
}

/** The note that front matter, body and entities make. Keys that mean nothing here are kept as they are. */
export function documentFrom(
  { front, body, sidecar }: { front: unknown; body: string; sidecar: string | null },
  stripSignals = true,
): ParsedDocument {
  const { id, created, updated, forget_after, provenance, ...rest } = check(Front, front, 'front matter');
  const input: Record<string, unknown> = { body, ...readSidecar(sidecar) };
  const signals = Object.keys(rest).filter((key) => SIGNAL_NAMES.has(key));
  if (signals.length > 0 && !stripSignals)
    throw new DocumentProblem(`the front matter has ${signals[0]}, which the database counts itself`);
  for (const [field, key] of KEYS) input[field] = rest[key] ?? undefined;
  const foreign = Object.entries(rest).filter(([key]) => !OUR_KEYS.has(key) && !SIGNAL_NAMES.has(key));
  if (foreign.length > 0) input.frontMatter = Object.fromEntries(foreign);
  if (forget_after) input.forgetAfter = time(forget_after, 'forget_after');
  if (provenance) input.provenance = rename(provenance, PROVENANCE_KEYS);
  return {
    id: id ?? null,
    createdAt: created === undefined ? null : time(created, 'created'),
    updatedAt: updated === undefined ? null : time(updated, 'updated'),
    note: normaliseNote(check(Note, input, 'front matter', nameInFile, misspelt(foreign))),
    stripped: signals.length > 0,
  };
}

const nameInFile = (field: string) => KEYS.find(([name]) => name === field)?.[1] ?? field;

/** Where something is wrong, a field we do not know may be one that was misspelt. */
const misspelt = (foreign: Array<[string, unknown]>) =>
  foreign.length === 0 ? '' : `; these fields are not known here: ${foreign.map(([key]) => key).join(', ')}`;

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
