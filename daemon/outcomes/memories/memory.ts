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
  const {
    id,
    task,
    title,
    outcome,
    summary,
    keyMistake,
    correctAction,
    applicableTools,
    guidance,
    toolsUsed,
    metadata,
    signals,
  } = learning;
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
function reflectionOf({
  guidance,
  rule,
  keyInsight,
  keyMistake,
  problem,
  correctAction,
  fix,
  body,
  title,
}: Note): string {
  const lesson = guidance || rule || keyInsight || title;
  const mistake = keyMistake || problem;
  const action = correctAction || fix;
  const parts = [
    lesson,
    mistake && `Mistake: ${mistake}`,
    action && action !== lesson && `Instead: ${action}`,
  ];
  return parts.filter(Boolean).join('\n') || body;
}

/** The note for a lesson that an agent wrote itself. */
export function memoryNote({
  task,
  result,
  summary,
  guidance,
  keyMistake,
  correctAction,
  applicableTools,
  toolsUsed,
  metadata,
  session,
  agent,
  ...where
}: NewMemory): Note {
  return NoteSchema.parse({
    ...scopeOf(resolveProject(where), where),
    title: beginning(summary, LONGEST_TITLE),
    type: 'memory',
    outcome: result,
    task,
    summary,
    guidance,
    keyMistake,
    correctAction,
    applicableTools,
    toolsUsed,
    metadata,
    // Ordinary recall shows these three.
    rule: guidance,
    fix: correctAction,
    problem: keyMistake,
    provenance: { agent, session },
  });
}
