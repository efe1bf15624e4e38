import { basename, dirname } from 'node:path';
import { Lru } from '../platform/lru.ts';
import { fileStat } from '../platform/read-file.ts';
import type { Circumstances, ParsedLine, Parser, Span, TranscriptEvent } from './adapter.ts';
import { answersTo, asksPerson } from './answers.ts';
import { type Fields, isFields, text, time } from './fields.ts';
import { commitsIn } from './git-output.ts';
import { todosIn } from './todos.ts';

interface Call {
  tool: string;
  command: string;
  input: Fields;
}

const NO_INPUT: Fields = {};
const LONGEST_INPUT_KEPT = 20_000; // characters

/** The state all parsers share: facts a file states once, and tool calls whose results are still to come. */
export abstract class FileParser implements Parser {
  protected session: string;
  protected cwd = '';
  protected branch: string | null = null;
  protected subagent = false;
  protected readonly calls = new Lru<string, Call>(300);
  readonly #path: string;
  readonly #reported = new Lru<string, Set<string>>(50);
  #at = 0;

  constructor(path: string) {
    this.#path = path;
    this.session = sessionNamedBy(path);
  }

  abstract parse(record: string, span: Span): ParsedLine;

  protected circumstances(span: Span, uuid: string, at: unknown): Circumstances {
    return {
      at: this.#timeOf(at),
      session: this.session,
      uuid,
      cwd: this.cwd,
      branch: this.branch,
      span,
      subagent: this.subagent,
    };
  }

  /** A record without a time happened when the one before did; in a file without any, when it was last written. */
  #timeOf(value: unknown): number {
    this.#at = time(value) || this.#at || Math.floor(fileStat(this.#path)?.mtimeMs ?? 0);
    return this.#at;
  }

  protected toolCall(common: Circumstances, tool: string, callId: string, input: unknown): TranscriptEvent[] {
    const written = typeof input === 'string' ? input : JSON.stringify(input ?? {});
    const kept = isFields(input) && written.length <= LONGEST_INPUT_KEPT ? input : NO_INPUT;
    this.calls.set(callId, { tool, command: isFields(input) ? commandIn(input) : '', input: kept });
    const items = todosIn(tool, input);
    const call: TranscriptEvent = { ...common, kind: 'tool_call', tool, callId, input: written };
    return items ? [call, { ...common, kind: 'todo', items }] : [call];
  }

  /** `outcome` is the result as data, where the agent writes that down beside its text. */
  protected toolResult(
    common: Circumstances,
    callId: string,
    output: string,
    failed: boolean,
    outcome?: unknown,
  ): TranscriptEvent[] {
    const result: TranscriptEvent = { ...common, kind: 'tool_result', callId, output, failed };
    const call = this.calls.get(callId);
    if (failed || !call) return [result];
    const commits = commitsIn(call.command, output).map((commit): TranscriptEvent => ({
      ...common,
      kind: 'git',
      ...commit,
    }));
    const said = asksPerson(call.tool) ? answersTo(call.input, outcome, output) : '';
    return said
      ? [result, ...commits, { ...common, kind: 'prompt', text: said, via: 'answer' }]
      : [result, ...commits];
  }

  /** The new part of a record that is rewritten as it grows. */
  protected unseen(id: string, events: TranscriptEvent[]): TranscriptEvent[] {
    const reported = this.#reported.get(id) ?? new Set();
    const fresh = events.filter((event) => !reported.has(gist(event)));
    this.#reported.set(id, new Set([...reported, ...fresh.map(gist)]));
    return fresh;
  }
}

function gist(event: TranscriptEvent): string {
  const words =
    'text' in event
      ? event.text
      : 'callId' in event
        ? event.callId
        : 'items' in event
          ? JSON.stringify(event.items)
          : '';
  return `${event.kind}:${words.length}:${words.slice(0, 300)}`;
}

/** Session files are named by their session, or stand alone in a folder that is. */
function sessionNamedBy(path: string): string {
  const name = basename(path).replace(/(?:\.jsonl|\.json|\.md)?(?:\.zst)?$/, '');
  return ['events', 'chat_history', 'wire'].includes(name) ? basename(dirname(path)) : name;
}

function commandIn(input: Fields): string {
  const { command } = input;
  if (Array.isArray(command)) return command.filter((word) => typeof word === 'string').join(' ');
  return text(input, 'command', 'cmd', 'script');
}
