import type { Learning } from '#contract/entities.ts';
import type { Skill } from '#contract/skills.ts';
import { contentWords } from '../text/tokenise.ts';

/** True when a skill covers a learning: a tag of the skill is its category, or all words of a tag are in its title. */
export function coverage({
  title,
  category,
}: Pick<Learning, 'title' | 'category'>): (skill: Pick<Skill, 'tags'>) => boolean {
  const words = new Set(contentWords(title));
  const kind = category.toLowerCase();
  return ({ tags }) => tags.some((tag) => tag.toLowerCase() === kind || isWithin(contentWords(tag), words));
}

const isWithin = (parts: string[], words: ReadonlySet<string>) =>
  parts.length > 0 && parts.every((part) => words.has(part));
