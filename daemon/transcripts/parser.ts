import { basename, dirname } from 'node:path';
import { Lru } from '../platform/lru.ts';
import { fileStat } from '../platform/read-file.ts';
import type { Circumstances, ParsedLine, Parser, Span, TranscriptEvent } from './adapter.ts';
import { type Fields, isFields, text, time, list, object, wordsOf } from './fields.ts';
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

/** `[branch 1a2b3c4] subject`, as git answers to a commit, a revert or a cherry-pick. */
const COMMITTED = /^\[[^\]\n]*?\b([0-9a-f]{7,40})\]\s+(\S.*)$/gm;
const REVERTS = /This reverts commit ([0-9a-f]{7,40})/;
const REVERT_COMMAND = /\bgit\b[^\n;&|]*\brevert\b[^\n;&|]*?\b([0-9a-f]{7,40})\b/;

interface Commit {
  sha: string;
  message: string;
}

/** The commits that a command made, by what git printed; a revert's message says which commit it reverts. */
function commitsIn(command: string, output: string): Commit[] {
  if (!/\bgit\b/.test(command)) return [];
  const reverted = (REVERTS.exec(output) ?? REVERTS.exec(command) ?? REVERT_COMMAND.exec(command))?.[1];
  return [...output.matchAll(COMMITTED)].map(([, sha = '', subject = '']) => {
    const isRevert = reverted !== undefined && (/^revert\b/i.test(subject) || REVERTS.test(command));
    return { sha, message: isRevert ? `${subject}\n\nThis reverts commit ${reverted}.` : subject };
  });
}

const ASKING = /^(?:ask_?user(?:_?question)?|request_user_input|question)$/i;
const PAIR = /"([^"\n]+)"="([^"]*)"/g;
const PREAMBLE = /^User (?:responded|selected|answered|has answered your questions?):?\s*/i;

const asksPerson = (tool: string): boolean => ASKING.test(tool);

/** `question → answer` lines, so that an answer can be understood alone; '' when nothing was answered. */
function answersTo(input: Fields, outcome: unknown, output: string): string {
  const questions = [...list(input, 'questions'), ...(text(input, 'question') ? [input] : [])];
  const { answers } = object({ outcome }, 'outcome');
  const structured =
    typeof answers === 'object' && answers !== null
      ? Object.entries(answers).map(([key, answer]) => [asked(questions, key), spoken(answer)])
      : [];
  const written =
    structured.length > 0
      ? structured
      : [...output.matchAll(PAIR)].map(([, question = '', answer = '']) => [question, answer]);
  const pairs =
    written.length > 0 || questions.length !== 1
      ? written
      : [[asked(questions, '0'), output.replace(PREAMBLE, '').trim()]];
  return pairs
    .filter(([, answer]) => answer)
    .map(([question, answer]) => `${question} → ${answer}`)
    .join('\n');
}

/** Agents name an answer's question by its words, its id or its place in the list. */
function asked(questions: readonly Fields[], key: string): string {
  const question = questions.find(({ id }) => id === key) ?? questions[Number(key)];
  return (question && text(question, 'question', 'header', 'title')) || key;
}

function spoken(answer: unknown): string {
  if (Array.isArray(answer)) return answer.map(spoken).filter(Boolean).join(', ');
  const several = object({ answer }, 'answer').answers;
  return Array.isArray(several) ? spoken(several) : wordsOf(answer).trim();
}
