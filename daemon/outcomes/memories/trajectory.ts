import type { Message } from '#contract/outcomes.ts';

/** One step of a trajectory, independent of the provider's message format. */
export interface Step {
  role: 'human' | 'agent' | 'tool';
  text: string;
  tool?: string;
  failed?: boolean;
}

const record = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const string = (value: unknown): string => (typeof value === 'string' ? value : '');
const shown = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** Messages, tool calls and tool results, in order. */
export function stepsOf(trajectory: readonly Message[]): Step[] {
  return trajectory.flatMap((message) => [...said(message), ...called(message)]);
}

export const toolsIn = (trajectory: readonly Message[]): string[] => [
  ...new Set(stepsOf(trajectory).flatMap(({ tool }) => tool ?? [])),
];

const ROLES: Record<string, Step['role']> = {
  user: 'human',
  human: 'human',
  assistant: 'agent',
  agent: 'agent',
  ai: 'agent',
  tool: 'tool',
  function: 'tool',
};

function said({ role, content, name, is_error: isError }: Message): Step[] {
  const who = ROLES[role.toLowerCase()];
  if (!who) return []; // a system prompt is not part of the run
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
  return parts.flatMap((raw): Step[] => {
    const part = record(raw);
    if (part.type === 'tool_use') return [{ role: 'tool', text: shown(part.input), tool: string(part.name) }];
    if (part.type === 'tool_result')
      return [{ role: 'tool', text: textIn(part.content), failed: part.is_error === true }];
    const text = string(part.text);
    if (text === '') return [];
    return [
      {
        role: who,
        text,
        ...(who === 'tool'
          ? { ...(typeof name === 'string' ? { tool: name } : {}), failed: isError === true }
          : {}),
      },
    ];
  });
}

/** Tool calls in a separate field, as OpenAI writes them. */
function called({ tool_calls: calls, toolCalls }: Message): Step[] {
  return list(calls ?? toolCalls).flatMap((raw): Step[] => {
    const { function: named, name, arguments: given, input } = record(raw);
    const call = record(named);
    const tool = string(call.name) || string(name);
    return tool ? [{ role: 'tool', text: shown(call.arguments ?? given ?? input), tool }] : [];
  });
}

const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map((part) => string(record(part).text))
        .filter(Boolean)
        .join('\n');

const ERROR_LINE = /\b(?:error|exception|failed|failure|cannot|not found|denied|invalid|timed? ?out)\b/i;

/** Error lines of failed tools, one each, newest first. */
export function errorsIn(steps: readonly Step[]): string[] {
  return steps
    .filter(
      ({ role, failed, tool, text }) =>
        role === 'tool' && (failed === true || (tool === undefined && ERROR_LINE.test(text))),
    )
    .map(
      ({ text }) =>
        text
          .split('\n')
          .map((line) => line.trim())
          .find((line) => ERROR_LINE.test(line)) ??
        text.trim().split('\n')[0] ??
        '',
    )
    .filter(Boolean)
    .toReversed();
}
