import { expect, test } from 'vitest';
import { testAdapter } from '../testing/adapter-suite.ts';
import { aider, MarkdownParser } from './markdown.ts';

testAdapter(aider, {
  file: '.aider.chat.history.md',
  unknown: null,
  content: [
    '# aider chat started at 2026-06-01 09:00:00',
    '',
    '> Aider v0.86',
    '',
    '#### rename the cart  ',
    '#### and keep its tests',
    '',
    'I renamed it.',
    '',
    'Both files changed.',
    '',
    '> Applied edit to cart.ts',
    '> Commit 1a2b3c4 refactor: rename the cart',
    '',
    '#### /undo',
    '',
    '> Removed',
    '',
    '#### never rename files',
    '',
    'Understood.',
    '',
    '> Tokens: 1k',
    '',
  ].join('\n'),
  events: [
    { kind: 'prompt', text: 'rename the cart\nand keep its tests', via: 'typed' },
    { kind: 'reply', text: 'I renamed it.\nBoth files changed.' },
    { kind: 'git', sha: '1a2b3c4', message: 'refactor: rename the cart' },
    { kind: 'meta', text: '/undo' },
    { kind: 'prompt', text: 'never rename files' },
    { kind: 'reply', text: 'Understood.' },
  ],
});

test('headings that say who speaks divide a conversation', () => {
  const parser = new MarkdownParser('/home/ada/notes/talk.md');
  const told = [
    '# A talk',
    '## User',
    'use pnpm here',
    '- always',
    '## Assistant',
    'Fine.',
    '**User:**',
    'thanks',
    '## Assistant',
  ]
    .flatMap((line, index) => parser.parse(line, { start: index, end: index + 1 }).events)
    .map((event) => [event.kind, 'text' in event ? event.text : '', event.span.start]);
  expect(told).toEqual([
    ['reply', '# A talk', 0],
    ['prompt', 'use pnpm here\n- always', 2],
    ['reply', 'Fine.', 5],
    ['prompt', 'thanks', 7],
  ]);
});
