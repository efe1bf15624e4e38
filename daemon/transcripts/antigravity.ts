import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Circumstances, ParsedLine, Span, TranscriptAdapter, TranscriptEvent } from './adapter.ts';
import { type Fields, list, object, parseRecord, text } from './fields.ts';
import { FileParser } from './parser.ts';
import { promptOf, replyOf, saysItFailed, typedPart } from './speech.ts';

const REQUEST = /<USER_REQUEST>\s*([\s\S]*?)\s*<\/USER_REQUEST>/;
const LOG = /[\\/]\.system_generated[\\/]logs[\\/]transcript\.jsonl$/;
const FOLDER_ARGUMENTS = ['Cwd', 'DirectoryPath', 'SearchPath', 'SearchDirectory'];

/** Google's Antigravity, its IDE and its command line alike. */
export const antigravity: TranscriptAdapter = {
  agent: 'antigravity',
  roots: (home) =>
    ['antigravity', 'antigravity-ide', 'antigravity-cli'].map((name) => join(home, '.gemini', name, 'brain')),
  matches: (path) => LOG.test(path),
  open: (path) => new AntigravityParser(path),
};

/** Every record is a step. A step of a tool is the result of the oldest call that has none. */
class AntigravityParser extends FileParser {
  #waiting: string[] = [];

  constructor(path: string) {
    super(path);
    this.session = basename(dirname(dirname(dirname(path))));
  }

  parse(line: string, span: Span): ParsedLine {
    const step = parseRecord(line);
    const common = this.circumstances(span, `${this.session}:${String(step.step_index)}`, step.created_at);
    switch (step.type) {
      case 'USER_INPUT':
        return { events: promptOf(text(step, 'content'), common, requestIn(text(step, 'content'))) };
      case 'PLANNER_RESPONSE':
        return { events: this.#answer(step, common) };
      case 'CHECKPOINT':
        return { events: [{ ...common, kind: 'compaction' }] };
      case 'CONVERSATION_HISTORY':
      case 'SYSTEM_MESSAGE':
      case 'EPHEMERAL_MESSAGE':
        return { events: [] };
      default:
        return step.source === 'MODEL'
          ? { events: this.#result(step, common) }
          : { events: [], unknown: text(step, 'type') || 'no type' };
    }
  }

  #answer(step: Fields, common: Circumstances): TranscriptEvent[] {
    const said = text(step, 'content');
    const calls = list(step, 'tool_calls').flatMap((call, index) => {
      const input = unquoted(object(call, 'args'));
      const folder = FOLDER_ARGUMENTS.map((name) => text(input, name)).find(isAbsolute);
      this.cwd ||= folder ?? '';
      const callId = `${common.uuid}.${index}`;
      this.#waiting.push(callId);
      return this.toolCall({ ...common, cwd: this.cwd }, text(call, 'name'), callId, input);
    });
    return [...replyOf(said, common), ...calls];
  }

  #result(step: Fields, common: Circumstances): TranscriptEvent[] {
    const output = text(step, 'content');
    const failed = step.status === 'ERROR' || saysItFailed(output);
    return this.toolResult(common, this.#waiting.shift() ?? `${common.uuid}.0`, output, failed);
  }
}

const requestIn = (content: string): string => typedPart(REQUEST.exec(content)?.[1] ?? content);

/** Its arguments are texts with JSON in them: `"\"/tmp/shop\""`. */
function unquoted(args: Fields): Fields {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value];
      try {
        return [name, JSON.parse(value) as unknown];
      } catch {
        return [name, value]; // a plain text after all
      }
    }),
  );
}
