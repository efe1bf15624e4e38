import * as z from 'zod';
import { HookPayload } from '#contract/hooks.ts';
import { jsonOrNull } from '../platform/json.ts';

/** The events of every agent, under Claude Code's names. */
export const HOOK_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Notification',
  'PermissionRequest',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'SessionEnd',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Other names for the same events: Gemini CLI's, Copilot's, and the one Codex passes to its `notify` program. */
const ALIASES: Readonly<Record<string, HookEvent>> = {
  BeforeAgent: 'UserPromptSubmit',
  AfterAgent: 'Stop',
  BeforeTool: 'PreToolUse',
  AfterTool: 'PostToolUse',
  PreCompress: 'PreCompact',
  UserPromptSubmitted: 'UserPromptSubmit',
  AgentStop: 'Stop',
  'Agent-turn-complete': 'Stop',
};

const text = z.string().catch('');

export interface Hook {
  event: HookEvent;
  /** The agent's own name for it. */
  name: string;
  session: string;
  cwd: string;
  transcript: string;
  /** The reason a session starts: startup, resume, clear, compact. */
  source: string;
  prompt: string;
  tool: string;
  /** The action of the tool as text that recall can search: its command or file. */
  action: string;
  /** The agent waits for a person's permission. */
  asksPermission: boolean;
  /** It happened inside a subagent. */
  subagent: boolean;
}

/** Reads a hook of any agent; null for an unknown event, which is not an error: agents add new ones. */
export function readHook(name: string, payload: unknown): Hook | null {
  const capitalised = name.charAt(0).toUpperCase() + name.slice(1);
  const event = HOOK_EVENTS.find((known) => known === capitalised) ?? ALIASES[capitalised];
  const read = HookPayload.safeParse(payload);
  if (!event || !read.success) return null;
  const fields = read.data;
  const tool = fields.tool_name || fields.toolName;
  return {
    event,
    tool,
    name: fields.hook_event_name || name,
    session: (fields.session_id || fields.sessionId || fields['thread-id']).slice(0, 200),
    cwd: fields.cwd,
    transcript: fields.transcript_path || fields.transcriptPath,
    source: fields.source || fields.trigger,
    prompt: fields.prompt,
    action: actionOf(fields.tool_input ?? fields.toolArgs ?? fields.toolInput),
    asksPermission:
      event === 'PermissionRequest' ||
      /permission/i.test(fields.notification_type || fields.notificationType || fields.message),
    subagent: fields.agent_id !== '',
  };
}

const Action = z.looseObject({
  command: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  file_path: text,
  path: text,
});

/** The command if there is one, otherwise the file. */
function actionOf(input: unknown): string {
  const action = Action.safeParse(typeof input === 'string' ? jsonOrNull(input) : input);
  if (!action.success) return '';
  const { command = '', file_path, path } = action.data;
  return (typeof command === 'string' ? command : command.join(' ')) || file_path || path;
}

/** The events at which an agent accepts context; at any other, output is ignored or, worse, shown to the person. */
const ACCEPTS_CONTEXT: Readonly<Record<string, readonly HookEvent[]>> = {
  'claude-code': ['SessionStart', 'UserPromptSubmit', 'PreToolUse'],
  codex: ['SessionStart', 'UserPromptSubmit', 'PreToolUse'],
  gemini: ['SessionStart', 'UserPromptSubmit'],
  copilot: ['SessionStart', 'UserPromptSubmit', 'PreToolUse'],
};

const familyOf = (agent: string) =>
  Object.keys(ACCEPTS_CONTEXT).find((known) => agent.startsWith(known)) ?? 'claude-code';

export const acceptsContext = (agent: string, event: HookEvent): boolean =>
  ACCEPTS_CONTEXT[familyOf(agent)]?.includes(event) ?? false;

/** The context in the format the agent reads; without context, every agent expects no output. */
export function writeHook(agent: string, { name }: Pick<Hook, 'name'>, context: string): string {
  if (context === '') return '';
  if (familyOf(agent) === 'copilot') return JSON.stringify({ additionalContext: context });
  return JSON.stringify({ hookSpecificOutput: { hookEventName: name, additionalContext: context } });
}
