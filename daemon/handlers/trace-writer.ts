import type { NoteInput } from '#contract/entities.ts';
import { chooseMode } from '../drain/modes/choose.ts';
import { writeNote } from '../drain/validation.ts';
import { type DrainedMoment, Postponed, type Writer } from '../drain/writer.ts';
import { stepsOf } from '../outcomes/memories/trajectory.ts';
import type { Settings } from '../platform/settings.ts';
import { projectRoot } from '../store/learnings/learnings.ts';
import type { WritableDb } from '../store/db.ts';
import type { StoredTrace } from '../store/outcomes/traces.ts';

const LAST_STEPS = 40;

interface Parts {
  db: WritableDb;
  settings: Settings;
  writer: Writer;
  modes: string;
}

/** Has the configured writer word what a judged run teaches; null when it finds nothing, or may not be asked now. */
export async function wordTrace(
  { db, settings, writer, modes }: Parts,
  trace: StoredTrace,
): Promise<NoteInput | null> {
  const resolve = settings.resolver({ projectRoot: projectRoot(db, trace.project) });
  const { mode } = chooseMode(modes, resolve);
  try {
    const note = await writeNote(writer, momentOf(trace), mode, resolve);
    // Written without a model, a note only words again what a person said; here nobody said anything.
    return note?.metadata.compression === 'synthetic' && trace.feedback === '' ? null : note;
  } catch (error) {
    if (error instanceof Postponed) return null; // what the run itself shows is kept now instead
    throw error;
  }
}

/** The run as a moment of dialogue, the reviewer's word being what it is about. */
function momentOf({
  id,
  at,
  task,
  trajectory,
  feedback,
  result,
  project,
  branch,
  session,
}: StoredTrace): DrainedMoment {
  const verdict = result === 'pass' ? 'This went well.' : 'This failed.';
  const quote = feedback || verdict;
  const turns = stepsOf(trajectory)
    .slice(-LAST_STEPS)
    .map(({ role, text, tool, failed }) => ({
      role,
      text: `${tool ? `${tool} ` : ''}${failed ? 'failed: ' : ''}${text}`.slice(0, 2_000),
      at,
      trigger: false,
    }));
  return {
    id: 0,
    key: id,
    chunkHash: id,
    signal: 'signal.correction',
    agent: 'trace',
    session,
    transcript: '',
    project,
    branch,
    at,
    attempts: 1,
    quote,
    type: result === 'pass' ? 'process' : 'correction',
    speculative: false,
    why: ['judges a run'],
    score: 1,
    span: { start: 0, end: 0 },
    turns: [
      { role: 'human', text: task, at, trigger: false },
      ...turns,
      { role: 'human', text: quote, at, trigger: true },
    ],
  };
}
