import { join } from 'node:path';
import type { TranscriptAdapter } from './adapter.ts';
import { ChatParser } from './chat.ts';
import { CursorChat } from './cursor-chat.ts';
import { CursorDatabase } from './cursor-database.ts';
import { settingsFolders } from './settings-folders.ts';

const DATABASE = 'state.vscdb';
const CHAT = /(?:^|[\\/])store\.db$/;

/**
 * Cursor: the editor's database; the transcripts of its agent, which hold neither time nor folder; and the chats of its
 * command line, of which there may be no transcript.
 */
export const cursor: TranscriptAdapter = {
  agent: 'cursor',
  roots: (home, environment) => [
    join(home, '.cursor', 'projects'),
    join(home, '.cursor', 'chats'),
    ...settingsFolders(home, environment).map((folder) => join(folder, 'Cursor', 'User', 'globalStorage')),
  ],
  matches: (path) =>
    path === DATABASE || CHAT.test(path) || /(?:^|[\\/])agent-transcripts[\\/].+\.jsonl$/.test(path),
  // The latest writes are in the write-ahead log until SQLite moves them over.
  mainFile: (path) => path.replace(/(\.vscdb|[\\/]store\.db)-wal$/, '$1'),
  open(path) {
    if (path.endsWith(DATABASE)) return new CursorDatabase(path);
    if (CHAT.test(path)) return new CursorChat(path);
    return new ChatParser(path, {
      silent: ['turn_ended'],
      isSubagent: (file) => /[\\/]subagents[\\/]/.test(file),
    });
  },
};
