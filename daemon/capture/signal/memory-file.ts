import { flag, integer } from '../../ports/knob.ts';
import { sentences } from '../../text/sentences.ts';
import type { ToolCall } from '../event-kinds.ts';
import { type Lesson, signal } from '../port.ts';
import { fieldsOf, filesChangedBy, ToolUses } from '../tool-use.ts';

/** Files that agents read at the start of every session. */
const MEMORY_FILES = [
  /(?:^|[\\/])(?:CLAUDE(?:\.local)?|AGENTS(?:\.override)?|GEMINI|QWEN|MEMORY|WARP|copilot-instructions)\.md$/i,
  /(?:^|[\\/])(?:\.cursorrules|\.windsurfrules|\.clinerules)$/,
  /(?:^|[\\/])\.(?:cursor|windsurf|clinerules|claude|github)[\\/](?:.*[\\/])?(?:rules|memory|instructions)[\\/][^\\/]+\.mdc?$/,
];
const isMemoryFile = (file: string) => MEMORY_FILES.some((pattern) => pattern.test(file));

const SCORE = 0.8;
const LEAST_LETTERS = 15;

export const memoryFile = signal({
  id: 'signal.memory-file',
  seeds: [],
  doc: 'An agent writes a rule to CLAUDE.md, AGENTS.md or a similar file: the added lines are a lesson.',
  switch: flag(
    'REFLECT_SIGNAL_MEMORY_FILE',
    true,
    'Capture what agents write to CLAUDE.md, AGENTS.md and similar files',
  ),
  knobs: {
    mostLines: integer('REFLECT_MEMORY_FILE_LINES', {
      default: 12,
      min: 1,
      max: 1_000,
      doc: 'Maximum lines an agent adds at once for it to be a lesson; more is a document',
    }),
  },
  start({ mostLines }) {
    const uses = new ToolUses();
    return {
      see(event): Lesson[] {
        const use = uses.follow(event);
        if (!use || use.result.failed) return [];
        const [file] = filesChangedBy(use.call).filter(isMemoryFile);
        if (file === undefined) return [];
        const added = addedLines(use.call).flatMap(sentences);
        const rules = added.filter((line) => (line.match(/\p{L}/gu) ?? []).length >= LEAST_LETTERS);
        return rules.length === 0 || added.length > mostLines ? [] : [lesson(use.call, file, rules)];
      },
    };
  },
});

/** The lines a call adds, without headings: they name what follows. */
function addedLines({ input }: ToolCall): string[] {
  const { old_string, new_string, oldString, newString, content, edits } = fieldsOf(input);
  const pairs = Array.isArray(edits) ? edits.map((edit) => edit as Record<string, unknown>) : [];
  const written = [
    ...newLines(old_string ?? oldString, new_string ?? newString ?? content),
    ...pairs.flatMap((edit) => newLines(edit.old_string, edit.new_string)),
    ...patchedLines(input),
  ];
  return written.filter((line) => line.trim() !== '' && !/^\s*(?:#{1,6} |```|---)/.test(line));
}

function newLines(before: unknown, after: unknown): string[] {
  const known = new Set(typeof before === 'string' ? before.split('\n') : []);
  return typeof after === 'string' ? after.split('\n').filter((line) => !known.has(line)) : [];
}

/** The lines that a patch adds to memory files, among others. */
function patchedLines(input: string): string[] {
  const added: string[] = [];
  let inMemoryFile = false;
  for (const line of input.replaceAll('\\n', '\n').split('\n')) {
    const file = /^\*\*\* (?:Add|Update) File: (.+)$/.exec(line)?.[1];
    if (line.startsWith('*** ')) inMemoryFile = file !== undefined && isMemoryFile(file.trim());
    else if (inMemoryFile && line.startsWith('+')) added.push(line.slice(1));
  }
  return added;
}

function lesson(trigger: ToolCall, file: string, rules: string[]): Lesson {
  const name = file.split(/[\\/]/).at(-1) ?? file;
  return {
    sees: 'lesson',
    type: 'process',
    trigger,
    score: SCORE,
    why: [`the agent wrote it into ${name}`],
    quote: rules.join('\n'),
  };
}
