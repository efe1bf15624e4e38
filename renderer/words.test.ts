import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';

const COMPONENTS = import.meta.glob<string>('./**/*.svelte', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Attributes that people read or hear. */
const READ = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'alt',
  'label',
  'placeholder',
  'title',
]);
const isSentence = (text: string) => /\p{L}{2} \p{L}{2}/u.test(text);
const isWords = (text: string) => /\p{L}{2}/u.test(text);

interface Node {
  type: string;
  [key: string]: unknown;
}

/**
 * Text written directly in a component: between tags, and in attributes that are read out. Keys in a <kbd> have one
 * name in every language.
 */
function* spoken(node: unknown, isKey = false): Generator<string> {
  if (Array.isArray(node)) for (const child of node) yield* spoken(child, isKey);
  if (node === null || typeof node !== 'object' || !('type' in node)) return;
  const { type, name, data, value, ...rest } = node as Node;
  if (type === 'Text' && !isKey && isWords(String(data))) yield String(data).trim();
  if (type === 'Literal' && isSentence(String(value))) yield String(value);
  if (type === 'Attribute') {
    if (READ.has(String(name))) yield* spoken(value);
    return;
  }
  const inKey = isKey || (type === 'RegularElement' && name === 'kbd');
  for (const [key, child] of Object.entries(rest))
    if (key !== 'css' && key !== 'instance' && key !== 'module') yield* spoken(child, inKey);
}

const wordsIn = (source: string) => [...spoken(parse(source, { modern: true }).fragment)];

test('words between tags and in what is read out are found; keys, names and classes are not', () => {
  expect(
    wordsIn('<p class="quiet one" title="Says it">Hello <b>there</b> <kbd>Esc</kbd> {words.all} · 3</p>'),
  ).toEqual(['Says it', 'Hello', 'there']);
  expect(wordsIn('<p>{count > 0 ? "Some are left" : words.none} {kind === "note" && count}</p>')).toEqual([
    'Some are left',
  ]);
  expect(
    wordsIn(
      '{#if shown}<input placeholder="Type here" type="text" />{:else}<Panel title="Recall" name="split" />{/if}',
    ),
  ).toEqual(['Type here', 'Recall']);
});

test.each(Object.entries(COMPONENTS))('%s takes every word from a words.ts', (_file, source) => {
  expect(wordsIn(source)).toEqual([]);
});
