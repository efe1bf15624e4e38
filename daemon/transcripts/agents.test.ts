import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AGENTS } from './agents.ts';

const FOLDER = new URL('.', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');

/** The imports of a source from files beside it, as `pi from ./pi.ts`. */
const importsBeside = (source: string): string[] =>
  [...source.matchAll(/^import \{([^}]+)\} from '(\.\/[^']+)';$/gm)].flatMap(([, names = '', file]) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => `${name} from ${file}`),
  );

test('every adapter of the table is run through the shared suite', () => {
  const adapters = importsBeside(read('agents.ts'));
  expect(adapters).toHaveLength(AGENTS.length);
  const tested = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.test.ts'))
    .map(read)
    .filter((source) => /^\s*testAdapter\(/m.test(source))
    .flatMap(importsBeside);
  expect(adapters.filter((adapter) => !tested.includes(adapter))).toEqual([]);
});
