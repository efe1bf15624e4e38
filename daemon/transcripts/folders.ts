import { closeSync } from 'node:fs';
import { delimiter } from 'node:path';
import { Lru } from '../platform/lru.ts';
import { openToRead, readText } from '../platform/read-file.ts';
import type { Parser, TranscriptAdapter } from './adapter.ts';
import { ChatParser } from './chat.ts';
import { DocumentParser } from './documents.ts';
import { type Fields, list, parseRecord } from './fields.ts';
import { MarkdownParser } from './markdown.ts';
import { readLines, WHOLE_FILE_LIMIT } from './tail.ts';

/** The agent of a folder that names none, and of files nobody recognises. */
export const UNNAMED = 'other';
const HEAD = 256 * 1024; // bytes in which an agent is recognised; the first records may be long
const ANY_TRANSCRIPT = /\.(?:jsonl|json|md)$/;

/** Reads what agents we do not know wrote, as JSON lines, as one JSON document, or as markdown. */
function anyAgent(agent: string, folder: string): TranscriptAdapter {
  return {
    agent,
    roots: () => [folder],
    matches: (path) => ANY_TRANSCRIPT.test(path),
    open(path): Parser {
      if (path.endsWith('.md')) return new MarkdownParser(path);
      const parser = new ChatParser(path, {
        headers: ['session', 'session_start', 'header'],
        compactions: ['compaction'],
      });
      return path.endsWith('.json')
        ? new DocumentParser(path, parser, { records: () => cut(readText(path, WHOLE_FILE_LIMIT)) })
        : parser;
    },
  };
}

/** A list of messages, or an object that holds one and says in its other fields where it was held. */
function cut(written: string): string[] {
  const value: unknown = JSON.parse(written);
  if (Array.isArray(value)) return value.map((message) => JSON.stringify(message));
  const { messages, history, ...header } = parseRecord(written);
  return [{ type: 'header', ...header }, ...list({ messages, history }, 'messages', 'history')].map(
    (record) => JSON.stringify(record),
  );
}

/** A folder that names no agent: each file is read by the one whose records it begins with. */
function recognised(
  folder: string,
  agents: readonly TranscriptAdapter[],
  mayRead: (adapter: TranscriptAdapter) => boolean,
): TranscriptAdapter {
  const general = anyAgent(UNNAMED, folder);
  const found = new Lru<string, TranscriptAdapter>(10_000);
  return {
    ...general,
    forFile(path) {
      const adapter = found.get(path) ?? adapterOf(path, agents, general);
      if (adapter) found.set(path, adapter);
      return adapter && mayRead(adapter) ? adapter : null;
    },
  };
}

/** Null while there is no record in it. A file that cannot be read is left to the general reader, which says so. */
function adapterOf(
  path: string,
  agents: readonly TranscriptAdapter[],
  general: TranscriptAdapter,
): TranscriptAdapter | null {
  if (path.endsWith('.md')) return general;
  try {
    const records = path.endsWith('.json')
      ? [parseRecord(readText(path, WHOLE_FILE_LIMIT))]
      : firstRecords(path);
    if (records.length === 0) return null;
    return agents.find(({ wrote }) => wrote !== undefined && records.some(wrote)) ?? general;
  } catch {
    return general;
  }
}

function firstRecords(path: string): Fields[] {
  const descriptor = openToRead(path);
  try {
    return readLines(descriptor, 0, HEAD).lines.flatMap(({ text }) => {
      try {
        return [parseRecord(text)];
      } catch {
        return []; // the reader counts it
      }
    });
  } finally {
    closeSync(descriptor);
  }
}

/** The adapters for folders a person names, as `agent=folder` or `folder`, separated as the system separates paths. */
export function configuredFolders(
  setting: string,
  agents: readonly TranscriptAdapter[],
  mayRead: (adapter: TranscriptAdapter) => boolean = () => true,
): TranscriptAdapter[] {
  return setting
    .split(delimiter)
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => {
      const [, name = '', folder = entry] = entry.match(/^([\w-]+)=(.+)$/) ?? [];
      const known = agents.find(({ agent }) => agent === name);
      if (name === '') return recognised(folder, agents, mayRead);
      if (!known) return anyAgent(name, folder);
      return {
        ...known,
        roots: () => [folder],
        matches: (path) => known.matches(path) || ANY_TRANSCRIPT.test(path) || path.endsWith('.jsonl.zst'),
      };
    });
}
