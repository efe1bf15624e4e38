import { dirname } from 'node:path';
import type { Circumstances, ParsedLine, Span, TranscriptAdapter, TranscriptEvent } from './adapter.ts';
import { FileParser } from './parser.ts';
import { promptOf, replyOf, typedPart } from './speech.ts';

type Speaker = 'human' | 'agent';

const STARTED = /^# aider chat started at (.+)$/;
const TYPED = /^####(?: (.*))?$/; // aider writes a person's words as headings of level four
const TOOL_OUTPUT = /^> ?(.*)$/;
const COMMIT = /^Commit ([0-9a-f]{7,40}) (.+)$/;
const HEADING =
  /^(?:#{1,3} +|\*\*)(?:(user|human|you|me|prompt)|(assistant|agent|ai|claude|codex|gemini|gpt|model))\b[^\n]{0,40}$/i;

/** A conversation kept as markdown: aider's, or one whose headings say who speaks. */
export class MarkdownParser extends FileParser {
  readonly #file: string;
  #sticky: Speaker | null = null;
  #block: { speaker: Speaker; lines: string[]; common: Circumstances } | null = null;
  #startedAt = '';

  constructor(path: string) {
    super(path);
    this.#file = path;
    this.cwd = dirname(path);
  }

  parse(line: string, span: Span): ParsedLine {
    const started = STARTED.exec(line)?.[1];
    if (started) return { events: this.#start(started) };
    const heading = HEADING.exec(line);
    if (heading) {
      this.#sticky = heading[1] ? 'human' : 'agent';
      return { events: this.#finish() };
    }
    const output = TOOL_OUTPUT.exec(line)?.[1];
    if (output !== undefined && !this.#sticky)
      return { events: [...this.#finish(), ...this.#commit(output, span)] };
    const typed = TYPED.exec(line);
    return {
      events: typed
        ? this.#add('human', typed[1] ?? '', span)
        : this.#add(this.#sticky ?? 'agent', line, span),
    };
  }

  #start(at: string): TranscriptEvent[] {
    const events = this.#finish();
    this.session = `${this.#file}#${at}`;
    this.#startedAt = at;
    this.#sticky = null;
    return events;
  }

  #commit(output: string, span: Span): TranscriptEvent[] {
    const [, sha, message] = COMMIT.exec(output) ?? [];
    return sha && message
      ? [{ ...this.circumstances(span, '', this.#startedAt), kind: 'git', sha, message }]
      : [];
  }

  /** A turn ends where the next begins, so each is reported one turn late. */
  #add(speaker: Speaker, line: string, span: Span): TranscriptEvent[] {
    const events = this.#block?.speaker === speaker ? [] : this.#finish();
    this.#block ??= { speaker, lines: [], common: this.circumstances(span, '', this.#startedAt) };
    this.#block.lines.push(line.trimEnd());
    this.#block.common = {
      ...this.#block.common,
      span: { start: this.#block.common.span.start, end: span.end },
    };
    return events;
  }

  #finish(): TranscriptEvent[] {
    const block = this.#block;
    this.#block = null;
    const said = block?.lines.join('\n').trim();
    if (!block || !said) return [];
    if (block.speaker === 'agent') return replyOf(said, block.common);
    const typed = typedPart(said);
    return promptOf(said, block.common, typed.startsWith('/') ? '' : typed);
  }
}

/** Aider keeps its history in every project, so there is no folder to watch but those a person names. */
export const aider: TranscriptAdapter = {
  agent: 'aider',
  roots: () => [],
  matches: (path) => path.endsWith('.aider.chat.history.md'),
  open: (path) => new MarkdownParser(path),
};
