import type { ToolCall } from './event-kinds.ts';
import { commandOf } from './tool-use.ts';

const COMMITS = /\bgit (?:-C \S+ )?commit\b/;
const HERE_DOCUMENT = /<<-?\s*['"]?(\w+)['"]?\n([\s\S]*?)\n\s*\1\b/;
const QUOTED = /(?:\s-a?m|--message)[ =](?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g;
/** Lines that say who wrote it, not what it does. */
const TRAILER = /^(?:[A-Z][\w-]*-by: |Claude-Session|Entire-|🤖|Generated with )/i;

/** The message of the commit that a call makes; '' for a call that makes none, or whose message is not in it. */
export function commitMessageOf(call: ToolCall): string {
  const command = commandOf(call);
  if (!command || !COMMITS.test(command)) return '';
  const written =
    HERE_DOCUMENT.exec(command)?.[2] ??
    [...command.matchAll(QUOTED)].map(([, double, single]) => double ?? single ?? '').join('\n\n');
  return written
    .split('\n')
    .filter((line) => !TRAILER.test(line.trim()))
    .join('\n')
    .trim();
}
