import type * as z from 'zod';
import { Entity, Note, type NoteInput, Relation } from '#contract/entities.ts';
import { backfillRelations, relationTypes } from '../knowledge/relation-types.ts';
import { flag, integer, perProject, type Resolve } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import type { Mode } from './modes/mode.ts';
import { proseOf } from './prose.ts';
import { isWorthless, type Material, type Worthless, type Writer } from './writer.ts';

export const validation = {
  id: 'drain.validation',
  seeds: ['S10'],
  doc: 'Checks notes and lets the writer try again with a list of problems; a note that stays wrong is saved as incomplete.',
  switch: perProject(flag('REFLECT_VALIDATE_NOTES', true, 'Validate notes before they are saved')),
  knobs: {
    attempts: integer('REFLECT_WRITE_ATTEMPTS', {
      default: 3,
      min: 1,
      max: 10,
      doc: 'Maximum attempts before a note is saved as incomplete',
    }),
  },
} satisfies PortCard;

/** The note for a moment, valid or marked as not, or the reason to keep none; null when there is nothing to say. */
export async function writeNote(
  writer: Writer,
  moment: Material,
  mode: Mode,
  resolve: Resolve,
): Promise<Note | Worthless | null> {
  const attempts = resolve(validation.switch) ? resolve(validation.knobs.attempts) : 0;
  const write = async (problems: string[]) => {
    const written = await writer.write(moment, mode, problems);
    return written && !isWorthless(written) && resolve(relationTypes.switch)
      ? { ...written, relations: backfillRelations(written.relations) as NoteInput['relations'] }
      : written;
  };
  let written = await write([]);
  for (let attempt = 1; written; attempt++) {
    if (isWorthless(written)) return written;
    if (attempts === 0) return Note.parse(written);
    const problems = problemsOf(written, mode);
    if (problems.length === 0) return { ...Note.parse(written), validated: true };
    if (attempt >= attempts) return salvage(written, moment, problems);
    written = await write(problems);
  }
  return null;
}

/** Problems of a note, in sentences its writer can act on. The schema is the one that note files are read by. */
export function problemsOf(note: NoteInput, mode: Mode): string[] {
  const parsed = Note.safeParse(note);
  const schema = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return [...schema, ...emptyFields(note), ...foreignWords(note, mode), ...unnamedEntities(note)];
}

function emptyFields({ title, category, tags, confidence }: NoteInput): string[] {
  const empty = {
    title: !title?.trim(),
    category: !category?.trim(),
    tags: !tags?.length,
    confidence: confidence === undefined,
  };
  return Object.entries(empty)
    .filter(([, isEmpty]) => isEmpty)
    .map(([field]) => `${field}: it is empty`);
}

function foreignWords({ category, type }: NoteInput, { categories, learningTypes }: Mode): string[] {
  const oneOf = (field: string, value: string | undefined, allowed: string[]) =>
    value && !allowed.includes(value) ? [`${field}: "${value}" is none of ${allowed.join(', ')}`] : [];
  return [
    ...oneOf(
      'category',
      category,
      categories.map(({ name }) => name),
    ),
    ...oneOf(
      'type',
      type,
      learningTypes.map(({ id }) => id),
    ),
  ];
}

/** An entity that the note never names was made up, or belongs to another note. */
function unnamedEntities(note: NoteInput): string[] {
  const prose = proseOf(note).toLowerCase();
  return listed(Entity, note.entities)
    .filter(({ name }) => !prose.includes(name.toLowerCase()))
    .map(({ name }) => `entities: the note does not name "${name}"`);
}

/** The valid items of a list; a writer may send anything. */
function listed<T extends typeof Entity | typeof Relation>(schema: T, list: unknown): Array<z.output<T>> {
  return (Array.isArray(list) ? list : []).flatMap(
    (item: unknown) => schema.safeParse(item).data ?? [],
  ) as Array<z.output<T>>;
}

/** The valid parts of a note, with the problems beside them. */
function salvage(written: NoteInput, { quote, signal }: Material, problems: string[]): Note {
  const valid = Object.entries(Note.shape).filter(
    ([field, schema]) => schema.safeParse(written[field as keyof NoteInput]).success,
  );
  const whole = Object.fromEntries(
    valid.map(([field]) => [field, written[field as keyof NoteInput]]),
  ) as Partial<NoteInput>;
  return Note.parse({
    ...whole,
    title: whole.title?.trim() || quote.trim().split('\n')[0]?.slice(0, 110) || signal,
    entities: listed(Entity, written.entities),
    relations: listed(Relation, written.relations),
    validated: false,
    metadata: { ...whole.metadata, problems },
  });
}
