import { Lru } from '../platform/lru.ts';
import type { TranscriptEvent } from '../transcripts/adapter.ts';
import type { ToolCall, ToolResult } from './event-kinds.ts';

const SHELL = /bash|shell|exec|terminal|run_command|^cmd$/i;
const EDIT = /edit|write|patch|create|replace|notebook/i;
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;
const REMEMBERED = 100; // calls

/** The shell command a call runs; null for a call that runs none. */
export function commandOf({ tool, input }: ToolCall): string | null {
  if (!SHELL.test(tool)) return null;
  const { command, cmd, script } = fieldsOf(input);
  const value = command ?? cmd ?? script;
  // ["bash", "-lc", "npm test"] runs its last part.
  if (Array.isArray(value))
    return String(/^-\w*c$/.test(String(value.at(-2))) ? value.at(-1) : value.join(' '));
  return typeof value === 'string' ? value : null;
}

/** The files a call changes. */
export function filesChangedBy({ tool, input }: ToolCall): string[] {
  const patched = [...input.replaceAll('\\n', '\n').matchAll(PATCHED)].map(([, file = '']) => file.trim());
  if (patched.length > 0 || !EDIT.test(tool)) return patched;
  const { file_path, filePath, path, notebook_path } = fieldsOf(input);
  const file = file_path ?? filePath ?? path ?? notebook_path;
  return typeof file === 'string' ? [file] : [];
}

export function fieldsOf(input: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(input);
    return parsed !== null && typeof parsed === 'object' ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {}; // some tools take plain text
  }
}

export interface ToolUse {
  call: ToolCall;
  result: ToolResult;
}

/** Brings calls and their results together; they may stand far apart, for agents call several tools at once. */
export class ToolUses {
  readonly #open = new Lru<string, ToolCall>(REMEMBERED);

  /** The use this event completes, if it completes one. */
  follow(event: TranscriptEvent): ToolUse | null {
    if (event.kind === 'tool_call') this.#open.set(event.callId, event);
    if (event.kind !== 'tool_result') return null;
    const call = this.#open.get(event.callId);
    this.#open.delete(event.callId);
    return call ? { call, result: event } : null;
  }
}

/** True for a failed command. Not every agent marks it, so an exit code in the output counts too. */
export function hasFailed({ failed, output }: ToolResult): boolean {
  return (
    failed ||
    /(?:exit(?:ed with)? code:?|exited with) (?!0\b)\d+/i.test(output.slice(0, 400)) ||
    /\bexit code:? (?!0\b)\d+\W*$/i.test(output.slice(-200))
  );
}

const LONGEST_COMMAND = 160;

const HERE_DOCUMENT = /\s*(?:["']?\$\(cat\s+)?<<-?\s*['"]?\w+['"]?.*$/;

/** A command as one would quote it: without a leading cd, a text it is given, and pipes that only trim its output. */
export function essence(command: string): string {
  const line =
    command
      .replace(/\\\n\s*/g, ' ')
      .trim()
      .split('\n')[0] ?? '';
  const arrived = line.replace(/^(?:cd\s+(?:"[^"]*"|'[^']*'|\S+)\s*(?:&&|;)\s*)+/, '');
  const bare = arrived
    .replace(HERE_DOCUMENT, '')
    .replace(/\s*(?:\d?>&?\S*|&>\S*|\|\s*(?:tail|head|tee|cat|less)\b.*)\s*/g, ' ')
    .trim();
  return bare.length > LONGEST_COMMAND ? `${bare.slice(0, LONGEST_COMMAND)}…` : bare;
}

/** A few of the files, relative to the project. */
export function listFiles(files: Iterable<string>, cwd: string, most = 5): string {
  const names = [
    ...new Set(
      [...files].map((file) => (cwd && file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file)),
    ),
  ];
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
