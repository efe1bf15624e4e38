import { delimiter } from 'node:path';
import { readText } from '../platform/read-file.ts';
import type { Parser, TranscriptAdapter } from './adapter.ts';
import { ChatParser } from './chat.ts';
import { DocumentParser } from './documents.ts';
import { list, parseRecord } from './fields.ts';
import { MarkdownParser } from './markdown.ts';
import { WHOLE } from './tail.ts';

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
        ? new DocumentParser(path, parser, { records: () => cut(readText(path, WHOLE)) })
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

/** The adapters for folders a person names, as `agent=folder` or `folder`, separated as the system separates paths. */
export function configuredFolders(
  setting: string,
  agents: readonly TranscriptAdapter[],
): TranscriptAdapter[] {
  return setting
    .split(delimiter)
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => {
      const [, name = '', folder = entry] = entry.match(/^([\w-]+)=(.+)$/) ?? [];
      const known = agents.find(({ agent }) => agent === name);
      if (!known) return anyAgent(name || 'other', folder);
      return {
        ...known,
        roots: () => [folder],
        matches: (path) => known.matches(path) || ANY_TRANSCRIPT.test(path) || path.endsWith('.jsonl.zst'),
      };
    });
}
