import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The one place that opens what others wrote. */
const RULE = 'daemon/platform/read-file.ts';

/** Those who read only what Reflect itself wrote or checked, or what a person typed. Everything else goes through the rule. */
const EXEMPT: Readonly<Record<string, string>> = {
  [RULE]: 'is the rule',
  'daemon/platform/files.ts': 'opens files to write them',
  'daemon/archive/open-archive.ts': 'opens files to write them',
  'daemon/archive/export.ts': 'reads back the database it has just built',
  'daemon/inference/worker.ts': 'loads weights whose checksum was compared',
  'daemon/inference/model-files.ts': 'compares those checksums',
  'daemon/serve/static-files.ts': 'serves files of the installed app',
  'daemon/hooks/client.ts': 'runs in the hook, and reads the run file of our own daemon',
  'daemon/client/transport.ts': 'runs in the client, and reads the run file of our own daemon',
  'daemon/cli/commands/learnings.ts': 'runs in the command, and reads its standard input',
  'daemon/cli/commands/knowledge.ts': 'runs in the command, and reads a file a person names',
  'daemon/cli/commands/loops.ts': 'runs in the command, and reads a file a person names',
};

const OPENS = /\b(?:readFileSync|readFile|openSync|open|createReadStream|openAsBlob)\b/;
const IMPORT = /import\s*\{([^}]*)\}\s*from 'node:fs(?:\/promises)?'/g;

/** The functions of `node:fs` by which a source could open a file. */
function opens(source: string): string[] {
  return [...source.matchAll(IMPORT)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => !name.startsWith('type ') && OPENS.test(name));
}

const sources = readdirSync('daemon', { recursive: true, encoding: 'utf8' })
  .map((file) => join('daemon', file).replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|testing|\/bench\/|vite\.config/.test(file));

test('every file that somebody else may have written is opened by one rule', () => {
  const offenders = sources.filter(
    (file) => !Object.hasOwn(EXEMPT, file) && opens(readFileSync(file, 'utf8')).length > 0,
  );
  expect(offenders).toEqual([]);
});

test('the list of exemptions has no row too many', () => {
  const open = Object.keys(EXEMPT).filter((file) => opens(readFileSync(file, 'utf8')).length > 0);
  expect(open).toEqual(Object.keys(EXEMPT));
});

test('is seen to fail: a source that reads a file by itself', () => {
  expect(opens(`import { existsSync, readFileSync } from 'node:fs';`)).toEqual(['readFileSync']);
  expect(opens(`import { type FileHandle, open } from 'node:fs/promises';`)).toEqual(['open']);
  expect(opens(`import {\n  mkdirSync,\n  openSync,\n} from 'node:fs';`)).toEqual(['openSync']);
  expect(opens(`import { readText } from '../platform/read-file.ts';`)).toEqual([]);
});
