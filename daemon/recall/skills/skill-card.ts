import { basename, dirname } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { oneLine } from '../../text/one-line.ts';

export interface SkillCard {
  name: string;
  tags: string[];
  summary: string;
}

const LONGEST_NAME = 100;
const LONGEST_SUMMARY = 240;
const MOST_TAGS = 30;

const words = z.union([
  z.array(z.union([z.string(), z.number()]).transform(String)),
  z.string().transform((list) => list.split(',')),
]);
/** Agents and authors add fields of their own; a field in an unknown form counts as absent. */
const FrontMatter = z.looseObject({
  name: z.string().catch(''),
  description: z.string().catch(''),
  tags: words.catch([]),
});

/** The name and description in a SKILL.md; without front matter, its folder's name and its first line. */
export function skillCard(path: string, markdown: string): SkillCard {
  const [, yaml = '', body = markdown] =
    /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(markdown) ?? [];
  const { name, description, tags } = frontMatter(yaml);
  return {
    name: oneLine(name, LONGEST_NAME) || basename(dirname(path)),
    tags: [...new Set(tags.map((tag) => oneLine(tag, LONGEST_NAME)).filter(Boolean))].slice(0, MOST_TAGS),
    summary: oneLine(description || firstLine(body), LONGEST_SUMMARY),
  };
}

function frontMatter(yaml: string): z.infer<typeof FrontMatter> {
  try {
    const parsed = FrontMatter.safeParse(parse(yaml, { logLevel: 'error' }));
    if (parsed.success) return parsed.data;
  } catch {
    // A colon in an unquoted description breaks YAML and is common; agents read such files, so we do.
  }
  const field = (key: string) => new RegExp(`^${key}:[ \\t]*(.+)$`, 'm').exec(yaml)?.[1] ?? '';
  return {
    name: field('name'),
    description: field('description'),
    tags: field('tags').replace(/[[\]]/g, '').split(','),
  };
}

const firstLine = (body: string) =>
  body
    .split('\n')
    .map((line) => line.replace(/^#+\s*/, '').trim())
    .find((line) => line !== '') ?? '';
