import { expect, test } from 'vitest';
import { skillCard } from './skill-card.ts';

const card = (markdown: string) => skillCard('/home/ada/.claude/skills/pdf/SKILL.md', markdown);

test('front matter names, describes and tags a skill', () => {
  expect(
    card('---\nname: PDF tools\ndescription: >\n  Fill forms\n  and merge.\ntags: pdf, forms\n---\nBody'),
  ).toEqual({ name: 'PDF tools', tags: ['pdf', 'forms'], summary: 'Fill forms and merge.' });
});

test('without front matter the folder names it and the first line describes it', () => {
  expect(card('\n# Fill forms\n\nand more')).toEqual({ name: 'pdf', tags: [], summary: 'Fill forms' });
  expect(card('')).toEqual({ name: 'pdf', tags: [], summary: '' });
});

test('a description that breaks YAML is read all the same', () => {
  expect(card('---\nname: pdf\ndescription: Use when: a form is given\n---\n')).toEqual({
    name: 'pdf',
    tags: [],
    summary: 'Use when: a form is given',
  });
});

test('fields in an unknown form count as absent, long ones are cut', () => {
  const { name, tags, summary } = card(
    `---\nname: 7\ntags: {a: b}\ndescription: ${'long '.repeat(100)}\n---\n`,
  );
  expect({ name, tags, length: summary.length }).toEqual({ name: 'pdf', tags: [], length: 240 });
});
