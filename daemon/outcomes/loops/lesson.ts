import { Note } from '#contract/entities.ts';
import type { Loop, LoopIteration } from '#contract/loops.ts';
import { flag } from '../../ports/knob.ts';
import type { PortCard } from '../../ports/port.ts';
import { firstSentence } from '../../text/sentences.ts';

export const loopLearning = {
  id: 'loops.learning',
  seeds: [],
  doc: 'Saves what a loop of attempts learned as an ordinary learning once an attempt passes.',
  switch: flag('REFLECT_LOOP_LEARNING', true, 'Save a learning from every loop that passes after a failure'),
  knobs: {},
} satisfies PortCard;

/** The lesson of the last failure, because the next attempt passed. Null when there was no failure or no lesson. */
export function lessonNote({ id, task, project }: Loop, iterations: readonly LoopIteration[]): Note | null {
  const last = iterations.findLast(({ record }) => record.self_reflection)?.record;
  const reflection = last?.self_reflection;
  const lesson = reflection?.lessons_learned?.[0] ?? reflection?.actionable_insights?.[0];
  if (!last || !reflection || !lesson?.trim()) return null;
  const mistake = reflection.credit_assignment?.root_cause ?? reflection.reflection_text;
  const action = (reflection.actionable_insights ?? []).join('; ');
  return Note.parse({
    title: firstSentence(lesson, 160),
    type: 'memory',
    outcome: 'pass',
    task,
    summary: firstSentence(task, 400),
    keyMistake: mistake,
    correctAction: action,
    guidance: lesson,
    problem: mistake,
    rule: lesson,
    fix: action,
    confidence: reflection.confidence ?? 0.6,
    project,
    scope: project ? 'project' : 'global',
    metadata: { loop: id, failureCategory: reflection.credit_assignment?.failure_category ?? 'other' },
    provenance: { agent: 'loop', session: id },
  });
}
