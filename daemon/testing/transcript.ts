import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ClaudeSession } from './claude-session.ts';
import type { RunningDaemon } from './running-daemon.ts';

/** Where Claude Code would keep this session. */
export function transcriptPath(
  { agentsHome }: Pick<RunningDaemon, 'agentsHome'>,
  session: ClaudeSession,
): string {
  return join(agentsHome, '.claude', 'projects', '-home-ada-shop', `${session.id}.jsonl`);
}

/** Puts a transcript there, last changed so many seconds ago. */
export function putTranscript(path: string, lines: string, secondsAgo = 0): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines);
  const at = Date.now() / 1_000 - secondsAgo;
  utimesSync(path, at, at);
}
