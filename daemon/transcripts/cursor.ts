import { join } from 'node:path';
import type { TranscriptAdapter } from './adapter.ts';
import { ChatParser } from './chat.ts';

/** The transcripts of Cursor's agent; they hold neither time nor folder. */
export const cursor: TranscriptAdapter = {
  agent: 'cursor',
  roots: (home) => [join(home, '.cursor', 'projects')],
  matches: (path) => /(?:^|[\\/])agent-transcripts[\\/].+\.jsonl$/.test(path),
  open: (path) =>
    new ChatParser(path, { silent: ['turn_ended'], isSubagent: (file) => /[\\/]subagents[\\/]/.test(file) }),
};
