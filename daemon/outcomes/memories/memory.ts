import type { Learning, Note } from '#contract/entities.ts';
import type { Memory, NewMemory } from '#contract/outcomes.ts';
import { Note as NoteSchema } from '#contract/entities.ts';
import { scopeOf, resolveProject } from '../resolve-project.ts';
import { beginning } from '../../text/one-line.ts';

const LONGEST_TITLE = 160;

/** A learning as an agent that works on a task sees it; any learning will do. */
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

/** What it teaches, in a few sentences, from whichever fields say so. */
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

/** The note of a lesson that an agent worded itself. */
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
    ...scopeOf(resolveProject(where)),
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
    // What ordinary recall shows of a note.
    rule: guidance,
    fix: correctAction,
    problem: keyMistake,
    provenance: { agent, session },
  });
}
