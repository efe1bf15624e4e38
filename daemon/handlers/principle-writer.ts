import type { Learning, Note } from '#contract/entities.ts';
import { chooseMode } from '../drain/modes/choose.ts';
import { writeNote } from '../drain/validation.ts';
import { type DrainedMoment, Postponed, type Writer } from '../drain/writer.ts';
import { heuristic } from '../drain/writers/heuristic.ts';
import type { Settings } from '../platform/settings.ts';
import type { WritableDb } from '../store/db.ts';
import { projectRoot } from '../store/learnings/learnings.ts';

interface Parts {
  db: WritableDb;
  settings: Settings;
  writer: Writer;
  modes: string;
}

const MOST_SHOWN = 30;
const REQUEST = 'All of these say much the same. Keep the one rule that covers them.';

/** Has the configured model word what learnings have in common; null when there is none, it finds nothing, or may not be asked now. */
export async function wordPrincipleBy(
  { db, settings, writer, modes }: Parts,
  members: readonly Learning[],
  draft: Note,
): Promise<Partial<Note> | null> {
  if (writer.name === heuristic.name) return null;
  const resolve = settings.resolver({ projectRoot: projectRoot(db, draft.project) });
  const { mode } = chooseMode(modes, resolve);
  try {
    const note = await writeNote(writer, momentOf(members, draft), mode, resolve);
    return (
      note && {
        title: note.title,
        rule: note.rule || draft.rule,
        problem: note.problem,
        rootCause: note.rootCause,
        fix: note.fix,
      }
    );
  } catch (error) {
    if (error instanceof Postponed) return null; // in their own words now rather than in better ones later
    throw error;
  }
}

/** The learnings as a moment of dialogue, in which a person asks for their common rule. */
function momentOf(members: readonly Learning[], { project, branch }: Note): DrainedMoment {
  const at = Math.max(0, ...members.map(({ updatedAt }) => updatedAt));
  const key = `principle:${members
    .map(({ id }) => id)
    .toSorted()
    .join(' ')}`;
  return {
    id: 0,
    key,
    chunkHash: key,
    signal: 'signal.preference',
    agent: 'distill',
    session: '',
    transcript: '',
    project,
    branch,
    at,
    attempts: 1,
    quote: REQUEST,
    type: 'preference',
    speculative: false,
    why: ['asks for what learnings have in common'],
    score: 1,
    span: { start: 0, end: 0 },
    turns: [
      ...members.slice(0, MOST_SHOWN).map(({ title, rule, fix }) => ({
        role: 'agent' as const,
        text: [title, rule, fix].filter(Boolean).join('\n').slice(0, 1_000),
        at,
        trigger: false,
      })),
      { role: 'human' as const, text: REQUEST, at, trigger: true },
    ],
  };
}
