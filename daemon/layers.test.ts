import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { importGraph, importsIn, sourceFiles } from '../.config/imports.ts';

/** Who may import whom: a folder sees itself, its row, and packages. Read top down, data flows this way. */
const MAY_IMPORT: Record<string, string[]> = {
  'daemon/bin': [],
  'daemon/contract': [],
  'daemon/ports': ['daemon/contract'],
  'daemon/platform': ['daemon/contract', 'daemon/ports'],
  'daemon/privacy': [],
  'daemon/text': [],
  models: [],
  'daemon/inference': ['daemon/contract', 'daemon/platform', 'daemon/ports', 'models'],
  'daemon/transcripts': ['daemon/platform'],
  'daemon/capture': [
    'daemon/text',
    'daemon/ports',
    'daemon/platform',
    'daemon/privacy',
    'daemon/transcripts',
  ],
  'daemon/store': ['daemon/text', 'daemon/contract', 'daemon/platform', 'daemon/privacy'],
  'daemon/events': ['daemon/contract', 'daemon/ports', 'daemon/platform', 'daemon/store'],
  'daemon/knowledge': [
    'daemon/privacy',
    'daemon/text',
    'daemon/contract',
    'daemon/ports',
    'daemon/store',
    'daemon/inference',
    'daemon/platform',
  ],
  'daemon/drain': [
    'daemon/text',
    'daemon/contract',
    'daemon/ports',
    'daemon/capture',
    'daemon/knowledge',
    'daemon/store',
    'daemon/inference',
    'daemon/platform',
    'daemon/privacy',
  ],
  'daemon/recall': [
    'daemon/knowledge',
    'daemon/text',
    'daemon/contract',
    'daemon/ports',
    'daemon/store',
    'daemon/inference',
    'daemon/platform',
    'daemon/privacy',
  ],
  'daemon/outcomes': [
    'daemon/privacy',
    'daemon/drain',
    'daemon/text',
    'daemon/contract',
    'daemon/ports',
    'daemon/store',
    'daemon/inference',
    'daemon/platform',
    'daemon/recall',
  ],
  'daemon/client': ['daemon/contract', 'daemon/platform'],
  'daemon/archive': [
    'daemon/privacy',
    'daemon/text',
    'daemon/contract',
    'daemon/ports',
    'daemon/platform',
    'daemon/store',
    'daemon/knowledge',
  ],
  'daemon/import': [
    'daemon/text',
    'daemon/contract',
    'daemon/ports',
    'daemon/platform',
    'daemon/privacy',
    'daemon/transcripts',
    'daemon/store',
    'daemon/knowledge',
    'daemon/archive',
  ],
  'daemon/team': [
    'daemon/contract',
    'daemon/ports',
    'daemon/platform',
    'daemon/privacy',
    'daemon/store',
    'daemon/knowledge',
    'daemon/archive',
  ],
  'daemon/distill': [
    'daemon/drain',
    'daemon/text',
    'daemon/contract',
    'daemon/ports',
    'daemon/store',
    'daemon/inference',
    'daemon/platform',
    'daemon/knowledge',
  ],
  'daemon/demo': ['daemon/contract', 'daemon/platform', 'daemon/text', 'daemon/store'],
  'daemon/mcp': ['daemon/text', 'daemon/contract', 'daemon/platform', 'daemon/client'],
  'daemon/serve': ['daemon/contract', 'daemon/platform', 'daemon/privacy', 'daemon/mcp'],
  'daemon/hooks': ['daemon/bin', 'daemon/contract', 'daemon/platform', 'daemon/client'],
  'daemon/agents': [
    'daemon/bin',
    'daemon/text',
    'daemon/contract',
    'daemon/platform',
    'daemon/client',
    'daemon/hooks',
  ],
  'daemon/cli': ['daemon/contract', 'daemon/platform', 'daemon/client', 'daemon/mcp', 'daemon/agents'],
  app: ['daemon/contract'],
  renderer: ['daemon/contract'],
};
/** These wire the rest or look at all of it, and nothing imports them. */
const SEES_ALL = [
  'daemon/handlers',
  'daemon/start',
  'daemon/testing',
  'daemon/bench',
  'daemon/recall/bench',
  'daemon/capture/bench',
  'daemon/drain/bench',
  'daemon/knowledge/bench',
];

const folderOf = (file: string) =>
  [...SEES_ALL, ...Object.keys(MAY_IMPORT)].find((folder) => file.startsWith(`${folder}/`)) ??
  (file.startsWith('daemon/') ? 'daemon' : undefined);

/** Imports of a file that its folder's row does not allow. */
function breaches(file: string, source: string): string[] {
  const folder = folderOf(file);
  return importsIn(file, source)
    .map(({ target }) => folderOf(target) ?? '')
    .filter((target) => target !== '' && target !== folder && !MAY_IMPORT[folder ?? '']?.includes(target))
    .map((target) => `${file} → ${target}`);
}

const sources = (folder: string): string[] =>
  sourceFiles(folder).filter(
    (file) =>
      /\.(?:ts|svelte)$/.test(file) &&
      !/\.test\.ts$|testing\.ts$|vite\.config\.ts$/.test(file) &&
      !SEES_ALL.some((other) => file.startsWith(other)),
  );

describe('the dependency rule', () => {
  test.each(Object.keys(MAY_IMPORT))('%s imports only what its row allows', (folder) => {
    expect(sources(folder).flatMap((file) => breaches(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  test('is seen to fail: a renderer that reaches into the store, a daemon part that reaches into its handlers', () => {
    expect(
      breaches('renderer/learnings/x.ts', `import { openStore } from '../../daemon/store/db.ts';`),
    ).toEqual(['renderer/learnings/x.ts → daemon/store']);
    expect(breaches('daemon/recall/x.ts', `import { a } from '../handlers/status.ts';`)).toEqual([
      'daemon/recall/x.ts → daemon/handlers',
    ]);
    expect(breaches('daemon/serve/mcp.ts', `const m = await import('../recall/recall.ts');`)).toEqual([
      'daemon/serve/mcp.ts → daemon/recall',
    ]);
    expect(breaches('daemon/serve/x.ts', `new URL('../inference/worker.ts', import.meta.url)`)).toEqual([
      'daemon/serve/x.ts → daemon/inference',
    ]);
    expect(breaches('app/window.ts', `import type { Learning } from '#contract/entities.ts';`)).toEqual([]);
  });

  test('no handler redacts: dispatch has done so', () => {
    const handlers = sourceFiles('daemon/handlers').filter((file) => !file.endsWith('.test.ts'));
    const imported = [...importGraph(handlers).values()].flat();
    expect(imported.filter(({ target }) => target.startsWith('daemon/privacy/'))).toEqual([]);
  });

  test('no file of the daemon imports Electron', () => {
    const offenders = sources('daemon').filter((file) =>
      /from 'electron'|require\('electron'\)/.test(readFileSync(file, 'utf8')),
    );
    expect(offenders).toEqual([]);
  });
});

/** The one place that opens what others wrote. */
const RULE = 'daemon/platform/read-file.ts';

/** Files that read only what Reflect wrote or checked, or what a person typed. All others go through the rule. */
const EXEMPT: Readonly<Record<string, string>> = {
  [RULE]: 'is the rule',
  'daemon/platform/files.ts': 'opens files to write them',
  'daemon/archive/check-archive.ts': 'opens files to write them',
  'daemon/archive/export.ts': 'reads back the database it has just built',
  'daemon/inference/worker.ts': 'loads weights whose checksum was compared',
  'daemon/inference/model-files.ts': 'compares those checksums',
  'daemon/serve/static-files.ts': 'serves files of the installed app',
  'daemon/hooks/client.ts': 'runs in the hook, and reads the run file of our own daemon',
  'daemon/hooks/installed.ts': 'runs in the hook, and reads the records of our own installer',
  'daemon/client/client.ts': 'runs in the client, and reads the run file of our own daemon',
  'daemon/cli/checks.ts': 'runs in the command, and reads the report of the check it has run',
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

const daemonSources = sourceFiles('daemon').filter(
  (file) => file.endsWith('.ts') && !/\.test\.ts$|testing|\/bench\/|vite\.config/.test(file),
);

test('every file that somebody else may have written is opened by one rule', () => {
  const offenders = daemonSources.filter(
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
