import type { Circumstances, TranscriptEvent } from './adapter.ts';

const WRAPPED_BY_HARNESS =
  /<(system[-_]reminder|user_info|timestamp|git_status|environment_context|environment_details|session_context|hook_context|qwen:user-prompt-submit-context)>[\s\S]*?<\/\1>/g;
const NOT_TYPED = new RegExp(
  `^(?:${[
    '<(?:command-|local-command-|task-notification|agent-notification|bash-|ide_|teammate-message|user-prompt-submit-hook|session-start-hook|system_notification)',
    '<(?:user_instructions|INSTRUCTIONS|permissions instructions|turn_aborted|skill>|subagent_notification)',
    '# AGENTS\\.md instructions',
    'Caveat: ',
    'This session is being continued',
    'Operation stopped by hook',
    '\\[Request interrupted by user',
    '/[\\w:.-]+$', // a command without words, such as /exit
  ].join('|')})`,
);
const QUERY = /^<user_query>\s*([\s\S]*?)\s*<\/user_query>$/;

const COMMAND = /^<command-(?:name|message)>/;
const COMMAND_ARGUMENTS = /<command-args>\s*([\s\S]*?)\s*<\/command-args>/;
const FEWEST_WORDS = 3; // fewer are a command's options

/** The part of a message that a person typed, without the harness's additions; '' when nobody typed it. */
export function typedPart(message: string): string {
  const typed = message.includes('<') ? message.replace(WRAPPED_BY_HARNESS, '').trim() : message.trim();
  if (COMMAND.test(typed)) return argumentsOf(typed);
  return NOT_TYPED.test(typed) ? '' : (QUERY.exec(typed)?.[1] ?? typed);
}

/** The words a person gave a slash command, if they are more than options. */
function argumentsOf(command: string): string {
  const said = COMMAND_ARGUMENTS.exec(command)?.[1] ?? '';
  return said.split(/\s+/).length >= FEWEST_WORDS ? said : '';
}

/** A message in the person's name: what they typed, or what else their agent put there. */
export function promptOf(
  said: string,
  common: Circumstances,
  typed: string = typedPart(said),
): TranscriptEvent[] {
  if (typed) return [{ ...common, kind: 'prompt', text: typed, via: 'typed' }];
  return said.trim() ? [{ ...common, kind: 'meta', text: said }] : [];
}

export const replyOf = (said: string, common: Circumstances): TranscriptEvent[] =>
  said.trim() ? [{ ...common, kind: 'reply', text: said }] : [];

const EXIT = /(?:exited with code|exit code:?)\s*(-?\d+)/gi;
const EDGE = 500; // characters

/** True when the harness reports, before or after a command's output, that it failed. */
export function saysItFailed(output: string): boolean {
  // In between a program may print anything, even other programs' exit codes.
  const edges = output.length > 2 * EDGE ? `${output.slice(0, EDGE)}\n${output.slice(-EDGE)}` : output;
  return [...edges.matchAll(EXIT)].some(([, code]) => code !== '0');
}
