/** What an agent tells us of, by Claude Code's names, which every agent's hook command passes on. */
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

/** An agent's own names; an event it lacks is absent. */
export type EventNames = Partial<Record<HookEvent, string>>;

/** These come with every tool call, and each costs the start of a process; they are added on request. */
const PER_TOOL: readonly HookEvent[] = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'];

/** Most seconds an agent waits for a hook. The hook gives up long before; this is for a machine on its knees. */
export const timeoutSeconds = (event: HookEvent): number => (event === 'SessionStart' ? 3 : 2);

/** [our name, the agent's name] of each event to be told of. */
export function eventsOf(names: EventNames, withTools: boolean): [HookEvent, string][] {
  return (Object.entries(names) as [HookEvent, string][]).filter(
    ([event]) => withTools || !PER_TOOL.includes(event),
  );
}
