import * as z from 'zod';
import { dateOf } from '../platform/time.ts';
import { withoutInvisible } from '../text/plain-line.ts';

/** The fields of a note that an agent can use; file paths and usage counts are for people. */
const USEFUL = [
  'id',
  'title',
  'type',
  'tags',
  'confidence',
  'rule',
  'fix',
  'problem',
  'rootCause',
  'keyInsight',
  'keyMistake',
  'correctAction',
  'guidance',
  'body',
  'outcome',
  'project',
  'branch',
  'speculative',
] as const;

const Note = z.looseObject({
  id: z.string(),
  title: z.string(),
  createdAt: z.number(),
  signals: z.unknown(),
});

/** Control characters but tabs and new lines. */
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

/**
 * Drops empty fields, and fields of notes that an agent cannot use, because it pays for every token; and characters
 * that an agent would read and no person sees.
 */
export function lean(value: unknown): unknown {
  if (typeof value === 'string') return withoutInvisible(value).replace(CONTROLS, '');
  if (Array.isArray(value)) return value.map(lean);
  if (typeof value !== 'object' || value === null) return value;
  const note = Note.safeParse(value);
  const fields = note.success ? useful(note.data) : value;
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, field]) => [name, lean(field)] as const)
      .filter(([, field]) => !isEmpty(field)),
  );
}

function useful(note: z.infer<typeof Note>): object {
  const { agent } = z
    .looseObject({ agent: z.string().catch('') })
    .catch({ agent: '' })
    .parse(note.provenance);
  return {
    ...Object.fromEntries(USEFUL.map((name) => [name, note[name]])),
    origin: originOf(note),
    learned: dateOf(note.createdAt),
    agent,
  };
}

const Origin = z.looseObject({
  colleague: z.string().optional(),
  imported: z.unknown(),
  writer: z.unknown(),
});

/** Whose words they are, so that an agent can weigh them. */
function originOf({ metadata, task }: z.infer<typeof Note>): string {
  const { colleague, imported, writer } = Origin.catch({ imported: undefined, writer: undefined }).parse(
    metadata ?? {},
  );
  if (colleague !== undefined) return `colleague ${colleague}`;
  if (imported !== undefined) return 'imported';
  return writer === 'agent' || (typeof task === 'string' && task !== '') ? 'agent-written' : 'own';
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
