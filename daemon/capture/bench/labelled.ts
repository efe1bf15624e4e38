import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { TranscriptAdapter, TranscriptEvent } from '../../transcripts/adapter.ts';
import { AGENTS } from '../../transcripts/agents.ts';
import { readLines } from '../../transcripts/tail.ts';

const Label = z.looseObject({
  id: z.string(),
  session: z.string(),
  line: z.number(),
  kind: z.string(),
  speaker: z.string(),
  learning: z.string(),
  importance: z.number(),
  queries: z.array(z.string()),
  also_lines: z.array(z.number()).default([]),
});
export type Label = z.infer<typeof Label>;

const Negative = z.looseObject({ session: z.string(), line: z.number(), why: z.string().default('') });
const Session = z.looseObject({
  session: z.string(),
  agent: z.string(),
  repo: z.string().default(''),
  partly_elided_assistant_lines: z.array(z.number()).default([]),
});

/** A session that a person has labelled. Lines count from 1; in documents without lines, messages count from 0. */
export interface LabelledSession {
  name: string;
  path: string;
  /** The agent's own folder in the data: `claude-code`, `codex`… */
  agent: string;
  repo: string;
  /** Agent statements that the labeller saw only in part; a capture there counts neither way. */
  unread: ReadonlySet<number>;
  labels: Label[];
  negatives: number[];
}

export function readLabelled(folder: string): LabelledSession[] {
  const lines = <T>(file: string, schema: z.ZodType<T>) =>
    readFileSync(join(folder, 'capture', file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => schema.parse(JSON.parse(line)));
  const labels = lines('labels.jsonl', Label);
  const negatives = lines('negatives.jsonl', Negative);
  return z
    .array(Session)
    .parse(JSON.parse(readFileSync(join(folder, 'capture', 'sessions.json'), 'utf8')))
    .map(({ session, repo, partly_elided_assistant_lines }) => ({
      name: session,
      path: join(folder, 'transcripts', session),
      agent: session.split('/')[0] ?? '',
      repo,
      unread: new Set(partly_elided_assistant_lines),
      labels: labels.filter((label) => label.session === session),
      negatives: negatives.filter((negative) => negative.session === session).map(({ line }) => line),
    }));
}

export function adapterOf({ agent }: LabelledSession): TranscriptAdapter {
  const adapter = AGENTS.find(
    (candidate) => candidate.agent === agent || agent.startsWith(`${candidate.agent}-`),
  );
  if (!adapter) throw new Error(`no adapter reads the sessions of ${agent}`);
  return adapter;
}

/** The events of a session, as capture sees them. */
export function eventsOf(session: LabelledSession): TranscriptEvent[] {
  const parser = adapterOf(session).open(session.path);
  const records = parser.unpack ? [...parser.unpack('').records] : linesOf(session.path);
  return records.flatMap(({ text, span }) => {
    try {
      return parser.parse(text, span).events;
    } catch {
      return []; // not a record; the adapters' own tests cover these
    }
  });
}

function linesOf(path: string) {
  const descriptor = openSync(path, 'r');
  try {
    return readLines(descriptor, 0, fstatSync(descriptor).size).lines;
  } finally {
    closeSync(descriptor);
  }
}

/** Turns byte positions of a line file into line numbers. */
export function lineCounter(path: string): (position: number) => number {
  const bytes = readFileSync(path);
  const starts = [0];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
  return (position) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
