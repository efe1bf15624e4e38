interface Common {
  at: number; // epoch ms
  session: string;
  uuid: string;
  cwd: string;
  branch: string | null;
  /** Where in the file it stands, in bytes. */
  span: { start: number; end: number };
  /** Said inside a subagent: context, but no human spoke there. */
  subagent: boolean;
}

/** One thing that happened in an agent session, whichever agent wrote it down. */
export type TranscriptEvent = Common & (
  | { kind: 'prompt'; text: string; via: 'typed' | 'queued' | 'rejection' | 'answer' }
  | { kind: 'reply'; text: string }
  | { kind: 'tool_call'; tool: string; callId: string; input: string }
  | { kind: 'tool_result'; callId: string; output: string; failed: boolean }
  | { kind: 'todo'; items: Array<{ text: string; state: string }> }
  | { kind: 'permission'; tool: string; granted: boolean | null }
  | { kind: 'interruption' }
  | { kind: 'compaction' }
  | { kind: 'git'; sha: string; message: string }
  | { kind: 'meta'; text: string }
);
export type EventKind = TranscriptEvent['kind'];

export interface ParsedLine {
  events: TranscriptEvent[];
  /** The kind of a record we do not know, to be counted: formats grow every week and silence would hide it. */
  unknown?: string;
}

/** All the daemon knows of an agent's transcripts. Supporting an agent is adding one of these. */
export interface TranscriptAdapter {
  agent: string;
  /** Folders to watch, given the home folder and the environment. */
  roots(home: string, environment: NodeJS.ProcessEnv): string[];
  /** Whether a file below a root is a transcript, by its path relative to that root. */
  matches(path: string): boolean;
  /** Throws for a line that is no record at all. */
  parseLine(line: string, span: { start: number; end: number }): ParsedLine;
}
