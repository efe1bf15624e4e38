import { basename, dirname, join } from 'node:path';
import type { TranscriptAdapter } from './adapter.ts';
import { ChatParser } from './chat.ts';

export const grok: TranscriptAdapter = {
  agent: 'grok',
  roots: (home) => [join(home, '.grok', 'sessions')],
  matches: (path) => /(?:^|[\\/])chat_history\.jsonl$/.test(path),
  open: (path) => new ChatParser(path, { silent: ['backend_tool_call'], cwdOf: folderOf }),
};

/** A session's folder stands in one named by the project, percent-encoded. */
function folderOf(path: string): string {
  const name = basename(dirname(dirname(path)));
  try {
    return name.includes('%') ? decodeURIComponent(name) : '';
  } catch {
    return ''; // a name that only looks encoded
  }
}
