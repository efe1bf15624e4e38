/** Hook events under Claude Code's names, which every agent's hook command passes on. */
export type HookEvent =
  | 'SessionStart'
  | 'UserPromptSubmit'
  | 'PermissionRequest'
  | 'Notification'
  | 'PreCompact'
  | 'Stop'
  | 'SubagentStop'
  | 'SessionEnd'
  | 'PreToolUse'
  | 'PostToolUse'
  | 'PostToolUseFailure';

/** An agent's own names for events; events it does not have are absent. */
export type EventNames = Partial<Record<HookEvent, string>>;

/** Events of every tool call. Each starts a process, so they are added only on request. */
const PER_TOOL: readonly HookEvent[] = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'];

/** The longest an agent waits for a hook. The hook gives up long before; this limit is for an overloaded machine. */
export const timeoutSeconds = (event: HookEvent): number => (event === 'SessionStart' ? 3 : 2);

/** A hook for each event, under the agent's name for it. */
export function hooksFor<T>(
  names: EventNames,
  withTools: boolean,
  handler: (event: HookEvent) => T,
): Record<string, T> {
  const wanted = (Object.entries(names) as [HookEvent, string][]).filter(
    ([event]) => withTools || !PER_TOOL.includes(event),
  );
  return Object.fromEntries(wanted.map(([event, name]) => [name, handler(event)]));
}
