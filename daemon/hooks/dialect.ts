import * as z from 'zod';
import { HookPayload } from '#contract/hooks.ts';

/** What happens in an agent, whatever the agent calls it. */
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

/** Other names of the same things: Gemini CLI's, Copilot's, and what Codex says to its `notify` program. */
const ALSO: Readonly<Record<string, HookEvent>> = {
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
  /** Why a session starts: startup, resume, clear, compact. */
  source: string;
  prompt: string;
  tool: string;
  /** What the tool is about to do, in words that can be looked up. */
  action: string;
  /** The agent waits for a person's permission. */
  asksPermission: boolean;
  /** It happened inside a subagent. */
  subagent: boolean;
}

/** What a hook of any agent tells; null for an event we do not know, which is no fault: agents invent new ones. */
export function readHook(name: string, payload: unknown): Hook | null {
  const capitalised = name.charAt(0).toUpperCase() + name.slice(1);
  const event = HOOK_EVENTS.find((known) => known === capitalised) ?? ALSO[capitalised];
  const read = HookPayload.safeParse(payload);
  if (!event || !read.success) return null;
  const said = read.data;
  const tool = said.tool_name || said.toolName;
  return {
    event,
    tool,
    name: said.hook_event_name || name,
    session: (said.session_id || said.sessionId || said['thread-id']).slice(0, 200),
    cwd: said.cwd,
    transcript: said.transcript_path || said.transcriptPath,
    source: said.source || said.trigger,
    prompt: said.prompt,
    action: actionOf(said.tool_input ?? said.toolArgs ?? said.toolInput),
    asksPermission:
      event === 'PermissionRequest' ||
      /permission/i.test(said.notification_type || said.notificationType || said.message),
    subagent: said.agent_id !== '',
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

/** A command as it stands; of anything else the file it is about. */
function actionOf(input: unknown): string {
  const action = Action.safeParse(typeof input === 'string' ? parsed(input) : input);
  if (!action.success) return '';
  const { command = '', file_path, path } = action.data;
  return (typeof command === 'string' ? command : command.join(' ')) || file_path || path;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Who may be told something when; what is not named here would be ignored or, worse, shown to the person. */
const LISTENS: Readonly<Record<string, readonly HookEvent[]>> = {
  'claude-code': ['SessionStart', 'UserPromptSubmit', 'PreToolUse'],
  codex: ['SessionStart', 'UserPromptSubmit', 'PreToolUse'],
  gemini: ['SessionStart', 'UserPromptSubmit'],
  copilot: ['SessionStart', 'UserPromptSubmit', 'PreToolUse'],
};

const familyOf = (agent: string) =>
  Object.keys(LISTENS).find((known) => agent.startsWith(known)) ?? 'claude-code';

export const listens = (agent: string, event: HookEvent): boolean =>
  LISTENS[familyOf(agent)]?.includes(event) ?? false;

/** The words as that agent takes them up; silence is silence in every dialect. */
export function writeHook(agent: string, { name }: Pick<Hook, 'name'>, words: string): string {
  if (words === '') return '';
  if (familyOf(agent) === 'copilot') return JSON.stringify({ additionalContext: words });
  return JSON.stringify({ hookSpecificOutput: { hookEventName: name, additionalContext: words } });
}
