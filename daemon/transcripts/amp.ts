import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TranscriptAdapter } from './adapter.ts';
import { ChatParser } from './chat.ts';
import { DocumentParser } from './documents.ts';
import { type Fields, list, object, parseRecord, text } from './fields.ts';
import { readText } from '../platform/read-file.ts';
import { WHOLE_FILE_LIMIT } from './tail.ts';

/** Amp: a thread is one JSON document, in blocks as the API of its model has them. */
export const amp: TranscriptAdapter = {
  agent: 'amp',
  roots: (home, environment) => [
    join(environment.XDG_DATA_HOME || join(home, '.local', 'share'), 'amp', 'threads'),
  ],
  matches: (path) => /^T-[\w-]+\.json$/.test(basename(path)),
  open: (path) =>
    new DocumentParser(path, new ChatParser(path, { headers: ['header'] }), {
      records: () => recordsIn(readText(path, WHOLE_FILE_LIMIT)),
    }),
};

function recordsIn(written: string): string[] {
  const thread = parseRecord(written);
  const header = { type: 'header', id: text(thread, 'id'), cwd: folderOf(thread), timestamp: thread.created };
  const messages = list(thread, 'messages').map((message) => ({
    id: `${text(thread, 'id')}:${String(message.messageId)}`,
    role: message.role,
    timestamp: object(message, 'meta').sentAt,
    content: list(message, 'content').map(block),
  }));
  return [header, ...messages].map((record) => JSON.stringify(record));
}

function folderOf(thread: Fields): string {
  const [tree = {}] = list(object(object(thread, 'env'), 'initial'), 'trees');
  const uri = text(tree, 'uri');
  return uri.startsWith('file://') ? fileURLToPath(uri) : '';
}

/** A result says how its run went. */
function block(part: Fields): Fields {
  if (part.type !== 'tool_result') return part;
  const run = object(part, 'run');
  return {
    type: 'tool_result',
    tool_use_id: text(part, 'toolUseID', 'tool_use_id'),
    content: run.result ?? run.error ?? part.content ?? '',
    is_error: ['error', 'cancelled', 'rejected-by-user'].includes(text(run, 'status')),
  };
}
