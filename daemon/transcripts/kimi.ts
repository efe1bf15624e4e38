import { basename, dirname, join } from 'node:path';
import type { Circumstances, ParsedLine, Span, TranscriptAdapter, TranscriptEvent } from './adapter.ts';
import { embedded, type Fields, list, object, parseRecord, text, wordsOf } from './fields.ts';
import { FileParser } from './parser.ts';
import { replyOf, saysItFailed, typedPart } from './speech.ts';
import { readText } from '../platform/read-file.ts';
import { WHOLE_FILE_LIMIT } from './tail.ts';

/** Kinds that are known and carry nothing to learn from; what is appended to the context was said in a turn before. */
const SILENT =
  /^(?:metadata|context\.append_message|turn\.ended|permission\.set_mode|full_compaction\.\w+|(?:config|tools|llm|usage|profile|plugin|runtime|token_counting|goal|skill)\.\w+)$/;
const SILENT_STEPS = new Set(['step.begin', 'step.end', 'step.retry']);

/** Kimi Code: each agent of a session has a file, and the session's folder says where it was held. */
export const kimi: TranscriptAdapter = {
  agent: 'kimi',
  roots: (home, environment) => [join(environment.KIMI_CODE_HOME || join(home, '.kimi-code'), 'sessions')],
  matches: (path) => /[\\/]agents[\\/][^\\/]+[\\/]wire\.jsonl$/.test(path),
  open: (path) => new KimiParser(path),
};

class KimiParser extends FileParser {
  constructor(path: string) {
    super(path);
    const agent = dirname(path);
    const session = dirname(dirname(agent));
    this.subagent = basename(agent) !== 'main';
    this.session = this.subagent ? `${basename(session)}/${basename(agent)}` : basename(session);
    this.cwd = text(stateOf(session), 'workDir');
  }

  parse(line: string, span: Span): ParsedLine {
    const record = parseRecord(line);
    const kind = text(record, 'type');
    this.cwd = text(object(record, 'environmentDisclosure'), 'cwd') || this.cwd;
    const event = object(record, 'event');
    const common = this.circumstances(span, text(event, 'uuid'), record.time ?? record.created_at);
    switch (kind) {
      case 'turn.prompt':
      case 'turn.steer':
        return { events: spoken(record, common) };
      case 'turn.cancel':
        return { events: [{ ...common, kind: 'interruption' }] };
      case 'context.apply_compaction':
        return { events: [{ ...common, kind: 'compaction' }] };
      case 'permission.record_approval_result':
        return { events: decided(record, common) };
      case 'context.append_loop_event':
        return this.#step(event, common);
      default:
        return SILENT.test(kind) ? { events: [] } : { events: [], unknown: kind || 'no type' };
    }
  }

  #step(event: Fields, common: Circumstances): ParsedLine {
    const callId = text(event, 'toolCallId');
    switch (event.type) {
      case 'content.part': {
        const part = object(event, 'part');
        return { events: part.type === 'text' ? replyOf(text(part, 'text'), common) : [] };
      }
      case 'tool.call':
        return { events: this.toolCall(common, text(event, 'name'), callId, event.args) };
      case 'tool.result': {
        const result = object(event, 'result');
        const output = wordsOf(result);
        const failed = result.isError === true || saysItFailed(output);
        return { events: this.toolResult(common, callId, output, failed, result) };
      }
      default: {
        const kind = text(event, 'type');
        return SILENT_STEPS.has(kind) ? { events: [] } : { events: [], unknown: `step/${kind || 'no type'}` };
      }
    }
  }
}

/** Only what a person typed is a prompt; the program itself starts turns too. */
function spoken(record: Fields, common: Circumstances): TranscriptEvent[] {
  const said = list(record, 'input')
    .map((part) => text(part, 'text'))
    .filter(Boolean)
    .join('\n');
  const typed = object(record, 'origin').kind === 'user' ? typedPart(said) : '';
  if (typed)
    return [
      { ...common, kind: 'prompt', text: typed, via: record.type === 'turn.steer' ? 'queued' : 'typed' },
    ];
  return said.trim() ? [{ ...common, kind: 'meta', text: said }] : [];
}

function decided(record: Fields, common: Circumstances): TranscriptEvent[] {
  const result = object(record, 'result');
  const granted = text(result, 'decision') === 'approved';
  const said = granted ? '' : text(result, 'feedback');
  const permission: TranscriptEvent = {
    ...common,
    kind: 'permission',
    tool: text(record, 'toolName'),
    granted,
  };
  return said ? [permission, { ...common, kind: 'prompt', text: said, via: 'rejection' }] : [permission];
}

function stateOf(session: string): Fields {
  try {
    return embedded(readText(join(session, 'state.json'), WHOLE_FILE_LIMIT));
  } catch {
    return {}; // it is written after the first turn; later records name the folder too
  }
}
