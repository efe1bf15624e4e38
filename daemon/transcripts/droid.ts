import { join } from 'node:path';
import type { TranscriptAdapter } from './adapter.ts';
import { ChatParser } from './chat.ts';

/** Factory's Droid: its session store, and what it prints as stream-json. */
export const droid: TranscriptAdapter = {
  agent: 'droid',
  roots: (home) => [join(home, '.factory', 'sessions')],
  matches: (path) => path.endsWith('.jsonl'),
  wrote: (record) => record.type === 'session_start' && 'owner' in record,
  open: (path) =>
    new ChatParser(path, {
      headers: ['session_start'],
      compactions: ['compaction_state'],
      silent: ['todo_state', 'session_end', 'error'],
    }),
};
