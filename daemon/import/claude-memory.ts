import { closeSync, readdirSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openToRead } from '../platform/read-file.ts';
import { type Fields, object, text } from '../transcripts/fields.ts';
import { firstFiles, inFiles, isMarkdown, type MarkdownFile, peekMarkdown, readMarkdown } from './files.ts';
import type { Found, ForeignNote, Importer } from './importer.ts';
import { rulesIn } from './rules.ts';
import { frontMatterLeft, titleOf } from './values.ts';

const INDEX = 'MEMORY.md';
const TYPES: Readonly<Record<string, string>> = {
  feedback: 'correction',
  user: 'preference',
  project: 'decision',
  reference: 'reference',
};
const LINK = /^\s*[-*]\s+\[[^\]]+\]\([^)]+\.md\)/;

const typeIn = (front: Fields): string => text(front, 'type') || text(object(front, 'metadata'), 'type');

const isMemory = ({ front }: MarkdownFile): boolean => text(front, 'name') !== '' && typeIn(front) in TYPES;

/** Claude Code's own memory of a project: one file for each memory, and an index. */
export const claudeMemory: Importer = {
  kind: 'claude-memory',
  name: 'Claude’s memory',
  detect: (path) =>
    basename(path) === INDEX ||
    firstFiles(path, isMemoryFile).some((file) => {
      const found = peekMarkdown(file);
      return (
        found !== null &&
        (isMemory(found) || (basename(file) === INDEX && basename(dirname(file)) === 'memory'))
      );
    }),
  read: (path) => inFiles(path, isMemoryFile, memoriesIn),
};

/** Below Claude's folder only `memory` folders are memories; a folder that was named directly holds nothing else. */
const isMemoryFile = (file: string): boolean =>
  isMarkdown(file) && (!/[\\/]projects[\\/]/.test(file) || /[\\/]memory[\\/]/.test(file));

function* memoriesIn(file: string, source: string): Generator<Found> {
  const found = readMarkdown(file);
  const project = projectOf(dirname(file));
  if (isMemory(found)) yield { source, ...memoryFrom(found), project };
  else if (basename(file) === INDEX) {
    // The index of today holds links only; earlier versions kept the memories themselves in it.
    const own = found.body.split('\n').filter((line) => !LINK.test(line));
    for (const [index, note] of rulesIn(own.join('\n')).entries())
      yield { source: `${source}, rule ${index + 1}`, note, project };
  } else
    yield { source, note: { title: titleOf(found.title), type: 'reference', body: found.body }, project };
}

function memoryFrom({ front, body }: MarkdownFile): ForeignNote {
  const marked = (name: string) =>
    new RegExp(`\\*\\*${name}:\\*\\*\\s*([\\s\\S]*?)(?=\\n\\s*\\*\\*[A-Z][\\w ]+:\\*\\*|$)`)
      .exec(body)?.[1]
      ?.trim() ?? '';
  const [first = ''] = body.split(/\n\s*\n|\n(?=\*\*)/);
  const type = typeIn(front);
  const left = frontMatterLeft(front, []);
  return {
    note: {
      title: titleOf(text(front, 'description') || text(front, 'name')),
      type: TYPES[type] ?? 'reference',
      tags: [type],
      rule: type === 'feedback' ? first.trim() : '',
      rootCause: marked('Why'),
      fix: marked('How to apply'),
      body,
      ...(left ? { frontMatter: left } : {}),
    },
  };
}

const BEGINNING = 256 * 1024; // bytes of a session that are looked at for its folder

/** The folder's name hides the project's path, but the sessions beside it say it. */
function projectOf(memory: string): string {
  const folder = dirname(memory);
  if (basename(memory) !== 'memory') return '';
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.jsonl'))) {
    const cwd = /"cwd":("(?:[^"\\]|\\.)*")/.exec(beginningOf(join(folder, name)))?.[1];
    if (cwd) return JSON.parse(cwd) as string;
  }
  return '';
}

function beginningOf(file: string): string {
  const descriptor = openToRead(file);
  try {
    const buffer = Buffer.alloc(BEGINNING);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer));
  } finally {
    closeSync(descriptor);
  }
}
