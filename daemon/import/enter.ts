import { Note } from '#contract/entities.ts';
import type { ImportKind } from '#contract/imports.ts';
import { isAllRedacted, redactAll } from '../privacy/redact.ts';
import { OUR_KEYS } from '../store/learnings/document-format.ts';
import { foreignNote } from '../store/learnings/foreign.ts';
import { type ForeignNote, Unreadable } from './importer.ts';

interface Origin {
  kind: ImportKind;
  source: string;
  project: string;
  /** The import this is part of. */
  batch: string;
  /** A person says that agents may get it. */
  keep: boolean;
}

/**
 * The note as it may enter: redacted, of one project, believed little, and waiting for a person unless that is decided.
 */
export function enteringNote(
  { note }: ForeignNote,
  { kind, source, project, batch, keep }: Origin,
  redactions: Record<string, number>,
): Note {
  const { frontMatter = {}, metadata = {}, provenance = {}, ...rest } = note;
  const { ours, theirs } = split(frontMatter);
  const parsed = Note.safeParse(
    redactAll(
      {
        ...rest,
        project,
        ...(Object.keys(theirs).length > 0 ? { frontMatter: theirs } : {}),
        metadata: {
          ...metadata,
          imported: { ...(metadata.imported as object | undefined), ...ours, from: kind, source },
          judged: { against: [`comes from ${kind} and was not reviewed here`] },
        },
        provenance: { ...provenance, agent: provenance.agent || kind, session: batch },
      },
      redactions,
    ),
  );
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Unreadable(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  if (isAllRedacted(parsed.data.title)) throw new Unreadable('nothing is left of it without what is private');
  const entered = foreignNote(parsed.data, 'candidate');
  return keep ? { ...entered, status: 'active' } : entered;
}

/** Front matter whose key means something else here cannot be written back under it. */
function split(frontMatter: Record<string, unknown>) {
  const entries = Object.entries(frontMatter);
  return {
    ours: Object.fromEntries(entries.filter(([key]) => OUR_KEYS.has(key))),
    theirs: Object.fromEntries(entries.filter(([key]) => !OUR_KEYS.has(key))),
  };
}
