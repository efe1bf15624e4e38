import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourceFiles } from '../.config/imports.ts';

/** Words this project gave up, each with the one to use instead. docs/CONTRIBUTING.md explains the glossary. */
const RETIRED: ReadonlyArray<{ pattern: RegExp; instead: string }> = [
  { pattern: /\b(?:foresee|[oO]utlook)\b/, instead: 'preview' },
  { pattern: /\b(?:takeIn|takeUp|takenIn|takenUp)\b/, instead: 'ingest' },
  { pattern: /\b(?:takeBack|takenBack|TakenBack)\b/, instead: 'undo, or retract for a lesson' },
  { pattern: /\bTold\b(?! )/, instead: 'listeners, callbacks, or what it holds' },
  { pattern: /\b(?:Retracting|Reflecting)\b/, instead: 'a noun: Retractor, Reflector' },
  { pattern: /could not be had|not to be had|\bnot here yet\b/, instead: 'not available' },
  { pattern: /\bin vain\b|\banew\b|\bwhomever\b|lets all through/, instead: 'modern words' },
  { pattern: /\bis so already\b/, instead: 'no changes needed' },
  {
    pattern: /(?:\/\*\*|\/\/|^ \*) (?:What|Whether|Whoever) /m,
    instead: 'a comment that starts with its subject',
  },
];

const sources = sourceFiles('app', 'daemon', 'renderer', 'models', 'e2e').filter(
  (file) => file !== 'daemon/glossary.test.ts',
);

test.each(RETIRED)('no file says $pattern: it is $instead', ({ pattern }) => {
  const found = sources.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

test('no comment of the daemon is wider than 120 columns', () => {
  const wide = sources
    .filter((file) => file.startsWith('daemon/'))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          line.length > 120 && /^\s*(?:\/\*|\*|\/\/)/.test(line) ? [`${file}:${index + 1}`] : [],
        ),
    );
  expect(wide).toEqual([]);
});
