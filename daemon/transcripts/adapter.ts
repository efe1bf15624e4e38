import type { Fields } from './fields.ts';

/** Where a record stands: bytes of a file of lines, the index of a record in a file that is none. */
export interface Span {
  start: number;
  end: number;
}

/** Facts shared by all events of a record. */
export interface Circumstances {
  at: number; // epoch ms
  session: string;
  uuid: string;
  cwd: string;
  branch: string | null;
  span: Span;
  /** Said inside a subagent: context, but no human spoke there. */
  subagent: boolean;
}

/** One thing that happened in an agent session, whichever agent wrote it down. */
export type TranscriptEvent = Circumstances &
  (
    | { kind: 'prompt'; text: string; via: 'typed' | 'queued' | 'rejection' | 'answer' }
    | { kind: 'reply'; text: string }
    | { kind: 'tool_call'; tool: string; callId: string; input: string }
    | { kind: 'tool_result'; callId: string; output: string; failed: boolean }
    | { kind: 'todo'; items: Array<{ text: string; state: string }> }
    | { kind: 'permission'; tool: string; granted: boolean | null }
    | { kind: 'interruption' }
    /** The agent has finished answering; not every transcript says so. */
    | { kind: 'turn-end' }
    | { kind: 'compaction' }
    | { kind: 'git'; sha: string; message: string }
    /** `rewindTo`: the record with this uuid, and all that followed it, was undone. */
    | { kind: 'meta'; text: string; rewindTo?: string }
  );

export interface ParsedLine {
  events: TranscriptEvent[];
  /** The kind of a record we do not know, to be counted: formats grow every week and silence would hide it. */
  unknown?: string;
}

/** The events of several records that shared a line, and the first kind among them that is not known. */
export function joined(parsed: readonly ParsedLine[]): ParsedLine {
  const unknown = parsed.find((one) => one.unknown !== undefined)?.unknown;
  const events = parsed.flatMap((one) => one.events);
  return unknown === undefined ? { events } : { events, unknown };
}

export interface Line {
  text: string;
  span: Span;
}

/** The records of a file that is not plain lines. */
export interface Unpacked {
  /** In order, and only as fast as they are taken. A known one was taken before a restart. */
  records: Iterable<Line & { known?: boolean }>;
  /** To be passed in next time, once all of them were read. */
  bookmark: string;
}

/** One transcript being followed. What a header said once is remembered for the records after it. */
export interface Parser {
  /** Throws for what is no record at all. */
  parse(record: string, span: Span): ParsedLine;
  /** For a file that is not plain lines: what is new since a bookmark, '' being its beginning. */
  unpack?(bookmark: string): Unpacked;
  /** One file holds many sessions; each event names its own. */
  manySessions?: boolean;
}

/** Everything the daemon knows about an agent's transcripts. Supporting an agent means adding one of these. */
export interface TranscriptAdapter {
  agent: string;
  /** Folders to watch, given the home folder and the environment. */
  roots(home: string, environment: NodeJS.ProcessEnv): string[];
  /** True for a transcript, by its path relative to a root. */
  matches(path: string): boolean;
  /** True for a record that only this agent writes: it identifies its files in a folder that a person names. */
  wrote?: (record: Fields) => boolean;
  /** For a folder with files of any agent: who reads this one; null if it says nothing yet or must not be read. */
  forFile?(path: string): TranscriptAdapter | null;
  /** For transcripts in several files: the one that stands for all, given the path of any. */
  mainFile?(path: string): string;
  /** Folders below a root that hold no transcripts but may hold very many files. */
  ignored?: readonly string[];
  open(path: string): Parser;
}
