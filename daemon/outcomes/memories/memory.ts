import type { Learning, Note } from '#contract/entities.ts';
import type { Memory, NewMemory } from '#contract/outcomes.ts';
import { Note as NoteSchema } from '#contract/entities.ts';
import { scopeOf, resolveProject } from '../resolve-project.ts';
import { beginning } from '../../text/one-line.ts';

const LONGEST_TITLE = 160;

/** Any learning in the form that an agent gets for a task. */
export function toMemory(
  learning: Learning,
  { similarity, score }: { similarity: number; score: number },
): Memory {
  const { id, task, title, outcome, signals, summary } = learning;
  const { keyMistake, correctAction, applicableTools, guidance, toolsUsed, metadata } = learning;
  return {
    id,
    task: task || title,
    reflection: reflectionOf(learning),
    success: outcome === 'none' ? null : outcome === 'pass',
    qValue: signals.qValue,
    similarity,
    score,
    summary: summary || title,
    keyMistake,
    correctAction,
    applicableTools,
    guidance,
    toolsUsed,
    metadata,
  };
}

/** The lesson in a few sentences, from whichever fields are filled. */
function reflectionOf(note: Note): string {
  const lesson = note.guidance || note.rule || note.keyInsight || note.title;
  const mistake = note.keyMistake || note.problem;
  const action = note.correctAction || note.fix;
  const parts = [
    lesson,
    mistake && !isSaid(mistake, lesson) && `Mistake: ${mistake}`,
    action && !isSaid(action, lesson) && `Instead: ${action}`,
  ];
  return parts.filter(Boolean).join('\n') || note.body;
}

const isSaid = (part: string, text: string): boolean => text.includes(part.replace(/\.$/, ''));

/** The note for a lesson that an agent wrote itself. */
export function memoryNote({ cwd, project, branch, result, session, agent, ...lesson }: NewMemory): Note {
  const where = { cwd, project, branch };
  return NoteSchema.parse({
    ...lesson,
    ...scopeOf(resolveProject(where), where),
    title: beginning(lesson.summary, LONGEST_TITLE),
    type: 'memory',
    outcome: result,
    // Ordinary recall shows these three.
    rule: lesson.guidance,
    fix: lesson.correctAction,
    problem: lesson.keyMistake,
    provenance: { agent, session },
  });
}
