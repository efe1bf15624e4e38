import type { Note } from '#contract/entities.ts';
import type { Material } from '../../drain/writer.ts';
import { writeWithModel, type WordingParts } from '../../drain/writers/write-with-model.ts';
import type { StoredTrace } from '../../store/outcomes/traces.ts';
import { stepsOf } from './trajectory.ts';

const LAST_STEPS = 40;

/** Has the configured writer word what a judged run teaches; null when it finds nothing. */
export async function wordTrace(parts: WordingParts, trace: StoredTrace): Promise<Note | null> {
  const note = await writeWithModel(parts, materialOf(trace));
  // Without a model a note repeats what a person said, and here nobody said anything.
  return note?.metadata.compression === 'synthetic' && trace.feedback === '' ? null : note;
}

/** The run as a dialogue that ends with the reviewer's verdict. */
function materialOf({ id, at, task, trajectory, feedback, result, project }: StoredTrace): Material {
  const quote = feedback || (result === 'pass' ? 'This went well.' : 'This failed.');
  const steps = stepsOf(trajectory)
    .slice(-LAST_STEPS)
    .map(({ role, text, tool, failed }) => ({
      role,
      text: `${tool ? `${tool} ` : ''}${failed ? 'failed: ' : ''}${text}`.slice(0, 2_000),
      at,
      trigger: false,
    }));
  return {
    key: id,
    signal: 'signal.correction',
    project,
    at,
    quote,
    type: result === 'pass' ? 'process' : 'correction',
    speculative: false,
    why: ['judges a run'],
    cues: [],
    score: 1,
    isUrgent: true,
    turns: [
      { role: 'human', text: task, at, trigger: false },
      ...steps,
      { role: 'human', text: quote, at, trigger: true },
    ],
  };
}
