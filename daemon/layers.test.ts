import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Who may import whom: a folder sees itself, its row, and packages. Read top down, data flows this way. */
const MAY_IMPORT: Record<string, string[]> = {
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
  'daemon/store': ['daemon/text', 'daemon/contract', 'daemon/platform'],
  'daemon/events': ['daemon/contract', 'daemon/ports', 'daemon/platform', 'daemon/store'],
  'daemon/knowledge': [
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
  'daemon/mcp': ['daemon/contract', 'daemon/platform', 'daemon/client'],
  'daemon/serve': ['daemon/contract', 'daemon/platform', 'daemon/privacy', 'daemon/mcp'],
  'daemon/hooks': ['daemon/contract', 'daemon/platform', 'daemon/client'],
  'daemon/agents': ['daemon/text', 'daemon/contract', 'daemon/platform', 'daemon/client', 'daemon/hooks'],
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
  const imports = source.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+|#contract\/[^']+)'/g);
  return [...imports]
    .map(([, path = '']) =>
      path.startsWith('#') ? 'daemon/contract' : (folderOf(join(dirname(file), path)) ?? ''),
    )
    .filter((target) => target !== '' && target !== folder && !MAY_IMPORT[folder ?? '']?.includes(target))
    .map((target) => `${file} → ${target}`);
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter(
      (file) =>
        /\.(?:ts|svelte)$/.test(file) &&
        !/\.test\.ts$|testing\.ts$|vite\.config\.ts$/.test(file) &&
        !SEES_ALL.some((other) => file.startsWith(other)),
    );
}

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
    expect(breaches('app/window.ts', `import type { Learning } from '#contract/entities.ts';`)).toEqual([]);
  });

  test('no file of the daemon imports Electron', () => {
    const offenders = sources('daemon').filter((file) =>
      /from 'electron'|require\('electron'\)/.test(readFileSync(file, 'utf8')),
    );
    expect(offenders).toEqual([]);
  });
});
