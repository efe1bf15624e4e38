import { dirname, basename } from 'node:path';
import { firstFiles, inFiles, isFile, readMarkdown } from './files.ts';
import type { Found, Importer } from './importer.ts';
import { rulesIn } from './rules.ts';
import { frontMatterLeft } from './values.ts';

const NAMES =
  /^(?:CLAUDE(?:\.local)?|AGENTS?|GEMINI|QWEN|CONVENTIONS|copilot-instructions)\.md$|^\.(?:cursorrules|windsurfrules|clinerules|roorules|goosehints)$|\.mdc$|\.instructions\.md$/i;

const isInstructions = (file: string): boolean => NAMES.test(basename(file));

/**
 * Instructions that people write for agents: CLAUDE.md, AGENTS.md, GEMINI.md, Cursor's rules and the like. Each rule is
 * a note.
 */
export const instructions: Importer = {
  kind: 'instructions',
  name: 'instructions for agents',
  detect: (path) => (isFile(path) ? isInstructions(path) : firstFiles(path, isInstructions, 1).length > 0),
  read: (path) => inFiles(path, (each) => isInstructions(each) || each === path, rulesOf),
};

function* rulesOf(file: string, source: string): Generator<Found> {
  const { front, body } = readMarkdown(file);
  const left = frontMatterLeft(front, []);
  const rules = rulesIn(body);
  for (const [index, note] of rules.entries()) {
    yield {
      source: `${source}, rule ${index + 1}`,
      note: { ...note, ...(left ? { frontMatter: left } : {}) },
      project: projectOf(file),
    };
  }
  if (rules.length === 0)
    yield { source, problem: 'no rule was found in it: neither a list nor a section with text' };
}

/**
 * The folder whose project it belongs to: its own, or the one around an agent's folder such as `.github` or
 * `.cursor/rules`.
 */
function projectOf(file: string): string {
  let folder = dirname(file);
  while (/^\.|^rules$|^instructions$/.test(basename(folder))) folder = dirname(folder);
  return folder;
}
