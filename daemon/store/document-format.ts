import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { Entity, type Learning, Note, Provenance, Relation } from '#contract/entities.ts';

/** A learning as a person finds it on disk: markdown with YAML front matter, and its entities beside it. */
export interface Document {
  markdown: string;
  sidecar: string;
}

export interface ParsedDocument {
  id: string;
  createdAt: number | null;
  note: Note;
}

/** Thrown for a file a person broke; the message is shown in the UI beside the last good version. */
export class DocumentProblem extends Error {
  override readonly name = 'DocumentProblem';
}

type Written = Pick<Learning, 'id' | 'createdAt' | 'updatedAt'> & Note;

// Front matter speaks snake_case as the seeds do; what is not listed keeps its name. Order here is order on disk.
const KEYS: ReadonlyArray<[keyof Note, string]> = [
  ['title', 'title'], ['category', 'category'], ['type', 'type'], ['tags', 'tags'], ['confidence', 'confidence'],
  ['project', 'project'], ['branch', 'branch'], ['scope', 'scope'], ['status', 'status'], ['isLatest', 'is_latest'],
  ['supersededBy', 'superseded_by'], ['speculative', 'speculative'], ['validated', 'validated'], ['problem', 'problem'],
  ['rootCause', 'root_cause'], ['fix', 'fix'], ['rule', 'rule'], ['keyInsight', 'key_insight'], ['outcome', 'outcome'], ['task', 'task'],
  ['summary', 'summary'], ['keyMistake', 'key_mistake'], ['correctAction', 'correct_action'], ['applicableTools', 'applicable_tools'],
  ['guidance', 'guidance'], ['toolsUsed', 'tools_used'], ['metadata', 'metadata'], ['unverifiedRefs', 'unverified_refs'],
];
const PROVENANCE_KEYS: ReadonlyArray<[keyof Provenance, string]> = [
  ['agent', 'agent'], ['session', 'session'], ['transcript', 'transcript'], ['chunk', 'chunk'], ['spanStart', 'span_start'],
  ['spanEnd', 'span_end'], ['commit', 'commit'], ['quote', 'quote'],
];
const ALWAYS: ReadonlySet<keyof Note> = new Set(['title', 'category', 'type', 'tags', 'confidence']);
const EMPTY = Note.parse({ title: 'empty' });

const yaml = (value: unknown) => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

export function renderDocument(learning: Written): Document {
  const front: Record<string, unknown> = { id: learning.id, created: iso(learning.createdAt), updated: iso(learning.updatedAt) };
  for (const [field, key] of KEYS) {
    // A field that says nothing is left out: the file shows what is known, and a diff what changed.
    if (ALWAYS.has(field) || !same(learning[field], EMPTY[field])) front[key] = learning[field];
  }
  if (learning.forgetAfter !== null) front.forget_after = iso(learning.forgetAfter);
  const provenance = PROVENANCE_KEYS.filter(([field]) => learning.provenance[field] !== EMPTY.provenance[field])
    .map(([field, key]) => [key, learning.provenance[field]]);
  if (provenance.length > 0) front.provenance = Object.fromEntries(provenance);
  const body = learning.body.trimEnd();
  return { markdown: `---\n${yaml(front)}---\n${body ? `\n${body}\n` : ''}`, sidecar: renderSidecar(learning) };
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
  id: z.string().optional(),
  created: z.coerce.string().optional(),
  updated: z.unknown().optional(),
  forget_after: z.coerce.string().optional(),
  provenance: z.record(z.string(), z.unknown()).optional(),
});

/** Reads what a person may have written; `fallbackId` is the file's name. Throws a DocumentProblem that names the field. */
export function parseDocument({ markdown, sidecar }: { markdown: string; sidecar: string | null }, fallbackId: string): ParsedDocument {
  const [, front, body] = markdown.replace(/\r\n/g, '\n').match(/^---\n([\s\S]*?)\n?---[ \t]*(?:\n([\s\S]*))?$/) ?? [];
  if (front === undefined) throw new DocumentProblem('the file does not begin with front matter between two lines of ---');
  const { id, created, updated: _, forget_after, provenance, ...rest } = check(Front, readYaml(front, 'front matter'), 'front matter');
  const input: Record<string, unknown> = { body: (body ?? '').replace(/^\n/, '').trimEnd(), ...readSidecar(sidecar) };
  for (const [key, value] of Object.entries(rest)) {
    const field = KEYS.find(([, written]) => written === key)?.[0];
    if (!field) throw new DocumentProblem(`the front matter has a field Reflect does not know: ${key}`);
    input[field] = value ?? undefined;
  }
  if (forget_after) input.forgetAfter = time(forget_after, 'forget_after');
  if (provenance) input.provenance = rename(provenance, PROVENANCE_KEYS);
  return { id: id ?? fallbackId, createdAt: created ? time(created, 'created') : null, note: check(Note, input, 'front matter') };
}

const Sidecar = z.looseObject({
  entities: z.array(Entity).default([]),
  relationships: z.array(z.looseObject({ tcommit: z.coerce.string().optional(), tvalid: z.coerce.string().optional(), tvalid_end: z.coerce.string().optional() })).default([]),
});

function readSidecar(sidecar: string | null): { entities?: Entity[]; relations?: Relation[] } {
  if (sidecar === null) return {};
  const { entities, relationships } = check(Sidecar, readYaml(sidecar, 'entities file'), 'entities file');
  const relations = relationships.map(({ tcommit, tvalid, tvalid_end, ...edge }) =>
    check(Relation, {
      ...edge,
      committedAt: tcommit ? time(tcommit, 'tcommit') : null,
      validFrom: tvalid ? time(tvalid, 'tvalid') : null,
      validTo: tvalid_end ? time(tvalid_end, 'tvalid_end') : null,
    }, 'entities file'));
  return { entities, relations };
}

function readYaml(source: string, where: string): unknown {
  try {
    return parse(source) ?? {};
  } catch (error) {
    throw new DocumentProblem(`the ${where} is not valid YAML: ${(error as Error).message.split('\n')[0]}`);
  }
}

function check<T extends z.ZodType>(schema: T, value: unknown, where: string): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new DocumentProblem(`the ${where} is not valid: ${issue?.path.join('.') || 'it'}: ${issue?.message}`);
}

function rename(value: Record<string, unknown>, keys: ReadonlyArray<[string, string]>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [keys.find(([, written]) => written === key)?.[0] ?? key, entry]));
}

function time(written: string, field: string): number {
  const at = Date.parse(written);
  if (Number.isNaN(at) || at < 0) throw new DocumentProblem(`${field} is not a date: ${written}`);
  return at;
}

const iso = (at: number) => new Date(at).toISOString();
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
