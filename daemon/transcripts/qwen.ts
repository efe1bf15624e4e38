import { join } from 'node:path';
import type { TranscriptAdapter } from './adapter.ts';
import { ChatParser } from './chat.ts';
import { object } from './fields.ts';

export const qwen: TranscriptAdapter = {
  agent: 'qwen',
  roots: (home) => [join(home, '.qwen', 'projects')],
  matches: (path) => /(?:^|[\\/])chats[\\/].+\.jsonl$/.test(path),
  wrote: (record) => 'parentUuid' in record && 'parts' in object(record, 'message'),
  open: (path) => new ChatParser(path, {}),
};
