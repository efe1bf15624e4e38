import type * as z from 'zod';
import { Note } from '#contract/entities.ts';
import { tolerant } from '#contract/schema.ts';
import { isAllRedacted, redactAll } from '../privacy/redact.ts';
import { foreignNote } from '../store/learnings/foreign.ts';
import type { Head } from './server/log.ts';
import { sha256 } from '../platform/sha256.ts';

/**
 * All of a note that leaves this machine: what it says. Not its quote, its session, its files, nor how often it was
 * used.
 */
const SHARED = Note.pick({
  title: true,
  category: true,
  type: true,
  tags: true,
  confidence: true,
  problem: true,
  rootCause: true,
  fix: true,
  rule: true,
  keyInsight: true,
  body: true,
  outcome: true,
  task: true,
  summary: true,
  keyMistake: true,
  correctAction: true,
  applicableTools: true,
  guidance: true,
  toolsUsed: true,
  entities: true,
  relations: true,
  project: true,
});
export type SharedNote = z.infer<typeof SHARED>;
const FIELDS = Object.keys(SHARED.shape) as Array<keyof SharedNote>;

/** Fields that say something. The rest is kept in step with them, and changes by itself. */
const WORDS = FIELDS.filter((field) => !['confidence', 'project', 'entities', 'relations'].includes(field));

const pick = <K extends keyof Note>(note: Note, fields: readonly K[]) =>
  Object.fromEntries(fields.map((field) => [field, note[field]])) as Pick<Note, K>;

/** The note as it leaves: redacted once more. */
export const outgoing = (note: Note): SharedNote => redactAll(pick(note, FIELDS), {});

/** Tells whether the words of a note changed. */
export const hashOf = (note: Note): string => sha256(JSON.stringify(pick(note, WORDS))).slice(0, 32);

/** In place of a hash: the note was archived in the space. */
export const ARCHIVED = 'archived';

/** A revision that cannot become a note here. */
export class Unusable extends Error {}

const Incoming = tolerant(SHARED.partial().extend({ title: SHARED.shape.title })) as z.ZodType<
  Partial<SharedNote>
>;

/**
 * A colleague's note as it may enter: redacted again, believed as little as anything foreign, of its project only
 * unless a curator published it for all, and marked with its author wherever it is read. Fields that this version does
 * not know are left.
 */
export function incoming(head: Head, space: string, login: string): Note {
  if (head.note === null) throw new Unusable('it has no text, or more than a note may have');
  const parsed = Incoming.safeParse(head.note);
  if (!parsed.success) throw new Unusable(problemOf(parsed.error));
  const clean = redactAll(parsed.data, {});
  if (isAllRedacted(clean.title ?? '')) throw new Unusable('nothing is left of it without what is private');
  const project = head.everywhere ? '' : clean.project || head.project;
  if (project === '' && !head.everywhere) throw new Unusable('it belongs to no project');
  const metadata = head.author === login ? {} : { colleague: `${space}/${head.author}` };
  const note = Note.parse({ ...clean, project, metadata });
  return {
    ...foreignNote(note, 'candidate'),
    scope: head.everywhere ? 'global' : 'project',
    status: 'active',
  };
}

const problemOf = ({ issues: [issue] }: z.ZodError): string =>
  `it does not have the form of a note (${issue?.path.join('.') || 'no fields'})`;

/** The fields of a newer version; what is decided here stays as it was decided. */
export const contentOf = (note: Note): Partial<Note> =>
  pick(note, [...WORDS, 'entities', 'relations', 'metadata']);
