import { basename, dirname, join } from 'node:path';
import type { Circumstances, ParsedLine, Span, TranscriptAdapter, TranscriptEvent } from './adapter.ts';
import { DocumentParser } from './documents.ts';
import { embedded, type Fields, parseRecord, text } from './fields.ts';
import { FileParser } from './parser.ts';
import { settingsFolders } from './settings-folders.ts';
import { replyOf, saysItFailed, typedPart } from './speech.ts';
import { readText } from '../platform/read-file.ts';
import { WHOLE_FILE_LIMIT } from './tail.ts';

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
const PROMPTS = new Set(['task', 'user_feedback']);
const REPLIES = new Set(['text', 'completion_result', 'followup', 'plan_mode_respond']);
const CONDENSED = new Set(['condense', 'condense_context', 'summarize_task']);
const FOLDER = /# Current (?:Working|Workspace) Directory \((.+?)\)/;

/** Cline and its forks keep each task in a folder of the editor; this is the list of messages its panel shows. */
function clineLike(agent: string, extension: string, own: (home: string) => string[]): TranscriptAdapter {
  return {
    agent,
    roots: (home, environment) => [
      ...settingsFolders(home, environment).flatMap((folder) =>
        EDITORS.map((editor) => join(folder, editor, 'User', 'globalStorage', extension, 'tasks')),
      ),
      ...own(home),
    ],
    matches: (path) => basename(path) === 'ui_messages.json',
    open: (path) =>
      new DocumentParser(path, new ClineParser(path), {
        records: () =>
          (JSON.parse(readText(path, WHOLE_FILE_LIMIT)) as unknown[]).map((each) => JSON.stringify(each)),
      }),
  };
}

export const cline = clineLike('cline', 'saoudrizwan.claude-dev', (home) => [
  join(home, '.cline', 'data', 'tasks'),
]);
export const roo = clineLike('roo', 'rooveterinaryinc.roo-cline', () => []);

class ClineParser extends FileParser {
  readonly #folder: string;
  #command = '';

  constructor(path: string) {
    super(path);
    this.#folder = dirname(path);
    this.session = basename(this.#folder);
  }

  parse(record: string, span: Span): ParsedLine {
    const message = parseRecord(record);
    const kind = text(message, 'say', 'ask');
    if (message.type !== 'say' && message.type !== 'ask')
      return { events: [], unknown: text(message, 'type') || 'no type' };
    this.cwd ||= folderOf(this.#folder);
    const common = this.circumstances(span, `${this.session}:${String(message.ts)}`, message.ts);
    // A message that is still being written comes again, whole.
    if (message.partial === true) return { events: [] };
    return { events: this.unseen(common.uuid, this.#events(message, kind, common)) };
  }

  #events(message: Fields, kind: string, common: Circumstances): TranscriptEvent[] {
    const said = text(message, 'text');
    if (PROMPTS.has(kind)) return prompt(said, common);
    if (REPLIES.has(kind)) return replyOf(spoken(said), common);
    if (CONDENSED.has(kind)) return [{ ...common, kind: 'compaction' }];
    if (kind === 'command') {
      this.#command = common.uuid;
      return this.toolCall(common, 'execute_command', common.uuid, { command: said });
    }
    if (kind === 'command_output')
      return this.#command === '' ? [] : this.toolResult(common, this.#command, said, saysItFailed(said));
    if (kind !== 'tool') return [];
    const { tool, ...input } = embedded(said);
    return typeof tool === 'string' ? this.toolCall(common, tool, common.uuid, input) : [];
  }
}

/** A question to the person is a text with JSON in it. */
const spoken = (said: string): string => text(embedded(said), 'question', 'response') || said;

function prompt(said: string, common: Circumstances): TranscriptEvent[] {
  const typed = typedPart(said);
  return typed ? [{ ...common, kind: 'prompt', text: typed, via: 'typed' }] : [];
}

/** Roo says it in a file of its own; Cline only in what it sends to the model. */
function folderOf(task: string): string {
  const named = FOLDER.exec(readOr(join(task, 'api_conversation_history.json')))?.[1];
  return (
    text(embedded(readOr(join(task, 'history_item.json'))), 'workspace') || (named ? unescaped(named) : '')
  );
}

/** The path stands inside a JSON text. */
const unescaped = (written: string): string => written.replaceAll('\\\\', '\\');

function readOr(file: string): string {
  try {
    return readText(file, WHOLE_FILE_LIMIT);
  } catch {
    return ''; // not there, or not yet
  }
}
