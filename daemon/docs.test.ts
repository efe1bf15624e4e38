import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../.config/imports.ts';

const pages = [
  'README.md',
  ...readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join('docs', name.replaceAll('\\', '/')))
    .filter((name) => name.endsWith('.md')),
];

/** Files and folders a page names: links relative to itself, and code that starts with one of our folders. */
function namedIn(page: string, text: string): string[] {
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) =>
    path.posix.join(path.posix.dirname(page), target),
  );
  const code = [...text.matchAll(/`((?:app|daemon|docs|e2e|models|renderer|\.config|\.vscode)\/[^`\s]*)`/g)];
  return [...links, ...code.map(([, file = '']) => file)].filter((file) => !/[<>*]/.test(file));
}

const missing = (page: string, text: string) =>
  namedIn(page, text).filter((file) => !existsSync(path.join(ROOT, file)));

test.each(pages)('every file that %s names exists', (page) => {
  expect(missing(page, readFileSync(path.join(ROOT, page), 'utf8'))).toEqual([]);
});

test('a dead link and a file that moved are noticed', () => {
  expect(
    missing('docs/page.md', 'See [it](gone.md) and `daemon/gone.ts`, but not `daemon/<name>.ts`.'),
  ).toEqual(['docs/gone.md', 'daemon/gone.ts']);
});
