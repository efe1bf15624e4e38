import { join } from 'node:path';
import type { TranscriptAdapter } from './adapter.ts';
import { ChatParser } from './chat.ts';
import { CursorDatabase } from './cursor-database.ts';
import { settingsFolders } from './settings-folders.ts';

const DATABASE = 'state.vscdb';

/** Cursor: the editor's database, and the transcripts of its agent, which hold neither time nor folder. */
export const cursor: TranscriptAdapter = {
  agent: 'cursor',
  roots: (home, environment) => [
    join(home, '.cursor', 'projects'),
    ...settingsFolders(home, environment).map((folder) => join(folder, 'Cursor', 'User', 'globalStorage')),
  ],
  matches: (path) => path === DATABASE || /(?:^|[\\/])agent-transcripts[\\/].+\.jsonl$/.test(path),
  // The latest writes are in the write-ahead log until SQLite moves them over.
  mainFile: (path) => path.replace(/\.vscdb-wal$/, '.vscdb'),
  open: (path) =>
    path.endsWith(DATABASE)
      ? new CursorDatabase(path)
      : new ChatParser(path, {
          silent: ['turn_ended'],
          isSubagent: (file) => /[\\/]subagents[\\/]/.test(file),
        }),
};
