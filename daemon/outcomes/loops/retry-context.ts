import type { Attempt, Loop, ReflectionWindow } from '#contract/loops.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import { beginning } from '../../text/one-line.ts';

const MOST_ERRORS = 10;
const MOST_ACTIONS = 10;

/** The text for the next attempt. The oldest reflections are dropped first if it does not fit. */
export function retryContext(
  loop: Loop,
  window: ReflectionWindow,
  last: Attempt | undefined,
  maxTokens: number,
): { text: string; tokens: number; iterations: number[] } {
  let reflections = window.reflections.toSorted((a, b) => a.iteration - b.iteration);
  for (;;) {
    const text = [
      heading(loop, last),
      ...reflections.map(reflected),
      ...(last && !last.evaluator_output.passed ? [failure(last)] : []),
    ]
      .filter(Boolean)
      .join('\n\n');
    const tokens = estimateTokens(text);
    if (tokens <= maxTokens || reflections.length === 0)
      return { text, tokens, iterations: reflections.map(({ iteration }) => iteration) };
    reflections = reflections.slice(1);
  }
}

const heading = ({ task }: Loop, last: Attempt | undefined) =>
  [
    `# Task\n${task}`,
    last
      ? `This is attempt ${last.iteration + 2}. What the attempts before it taught comes first; do not repeat their mistakes.`
      : '',
  ]
    .filter(Boolean)
    .join('\n\n');

function reflected({ iteration, reflection }: ReflectionWindow['reflections'][number]): string {
  const {
    reflection_text: text,
    credit_assignment: credit,
    actionable_insights: insights = [],
    lessons_learned: lessons = [],
  } = reflection;
  const section = (title: string, lines: string[]) =>
    lines.length > 0 ? [`${title}:`, ...lines.map((line) => `- ${line}`)] : [];
  const cause = credit?.root_cause ? [`Cause: ${credit.root_cause}`] : [];
  return [
    `## Attempt ${iteration + 1}`,
    text,
    ...cause,
    ...section('Do this time', insights),
    ...section('Lessons', lessons),
  ].join('\n');
}

function failure({
  iteration,
  actor_output: { actions },
  evaluator_output: { results = [], errors = [] },
}: Attempt): string {
  const place = (file: string | undefined, line: number | undefined) =>
    file ? ` (${file}${line === undefined ? '' : `:${line}`})` : '';
  return [
    `## What failed in attempt ${iteration + 1}`,
    ...actions
      .slice(-MOST_ACTIONS)
      .map(
        ({ description, file_path: file }, index) =>
          `${index + 1}. ${beginning(description, 200)}${place(file, undefined)}`,
      ),
    ...results
      .filter(({ status }) => status !== 'pass')
      .map(
        ({ tool, status, stderr }) => `- ${tool}: ${status}${stderr ? `: ${beginning(stderr, 300)}` : ''}`,
      ),
    ...errors
      .slice(0, MOST_ERRORS)
      .map(
        ({ type, message, file, line }) =>
          `- ${type.replaceAll('_', ' ')}: ${beginning(message, 300)}${place(file, line)}`,
      ),
    ...(errors.length > MOST_ERRORS ? [`- and ${errors.length - MOST_ERRORS} more`] : []),
  ].join('\n');
}
