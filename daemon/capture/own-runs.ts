import type { TranscriptEvent } from '../transcripts/adapter.ts';

/** The first line of every prompt a writer sends, so that no note is ever taken of note-taking. */
export const OWN_RUN_MARKER =
  '[reflect:writer] Notes are taken here for Reflect. This is no session to learn from.';
/** The folder writers run in; agents name their transcripts after it and put it into every record. */
export const OWN_RUN_FOLDER = 'reflect-writer-scratch';

/**
 * True for a writer's own run. The folder is in every record, so it is known even where reading begins in the
 * middle; the marker also finds the runs of an agent that writes no folder down.
 */
export function isOwnRun(event: TranscriptEvent, earlierPrompts: number): boolean {
  if (event.cwd.split(/[\\/]/).at(-1) === OWN_RUN_FOLDER) return true;
  return event.kind === 'prompt' && earlierPrompts === 0 && event.text.trimStart().startsWith(OWN_RUN_MARKER);
}
