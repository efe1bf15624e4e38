import { join } from 'node:path';
import type { TranscriptAdapter } from './adapter.ts';
import { ChatParser } from './chat.ts';

export const qwen: TranscriptAdapter = {
  agent: 'qwen',
  roots: (home) => [join(home, '.qwen', 'projects')],
  matches: (path) => /(?:^|[\\/])chats[\\/].+\.jsonl$/.test(path),
  open: (path) => new ChatParser(path, {}),
};
