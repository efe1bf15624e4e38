import type { NoteInput } from '#contract/entities.ts';
import { firstSentence } from '../text/sentences.ts';
import { tagsOf, titleOf } from './values.ts';

const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;
const BULLET = /^(?:[-*+]|\d{1,3}[.)])\s+(\S.*)$/;
const FENCE = /^\s*(?:```|~~~)/;
const SHORTEST = 12; // characters; `- npm` is no rule
const LONGEST_TITLE = 160;

interface Section {
  /** The headings it stands below, the outermost first. */
  headings: string[];
  /** Text that is not in a list. */
  prose: string[];
  /** Items of the outermost level, each with what is indented below it. */
  bullets: string[];
}

/** Cuts instructions for agents into rules: each item of a list is one; a section without a list is one as a whole. */
export function rulesIn(text: string): NoteInput[] {
  return sectionsOf(text).flatMap(({ headings, prose, bullets }) => {
    const below = headings.join(' › ');
    const tags = tagsOf(headings.slice(-1).map((heading) => heading.toLowerCase().slice(0, 60)));
    const said = prose.join('\n').trim();
    const rules = bullets
      .filter((bullet) => bullet.length >= SHORTEST)
      .map((bullet) => ruleFrom(bullet, below, tags));
    const whole =
      rules.length === 0 && said.length >= SHORTEST
        ? [
            {
              title: titleOf(headings.at(-1) ?? firstSentence(said, LONGEST_TITLE)),
              type: 'convention',
              tags,
              body: said,
            },
          ]
        : [];
    return [...rules, ...whole];
  });
}

function ruleFrom(bullet: string, below: string, tags: string[]): NoteInput {
  const title = titleOf(firstSentence(bullet, LONGEST_TITLE));
  const context = below === '' ? '' : `From “${below}”.`;
  return {
    title,
    type: 'convention',
    tags,
    rule: bullet.split('\n')[0] ?? bullet,
    body: [bullet.includes('\n') ? bullet : '', context].filter(Boolean).join('\n\n'),
  };
}

function sectionsOf(text: string): Section[] {
  const sections: Section[] = [{ headings: [], prose: [], bullets: [] }];
  let isCode = false;
  for (const line of text.split('\n')) {
    const current = sections.at(-1) as Section; // never empty
    const isFence = FENCE.test(line);
    const heading = isCode || isFence ? null : HEADING.exec(line);
    if (heading) {
      const depth = heading[1]?.length ?? 1;
      sections.push({
        headings: [...current.headings.slice(0, depth - 1), heading[2] ?? ''],
        prose: [],
        bullets: [],
      });
      continue;
    }
    addLine(current, line, isCode || isFence);
    if (isFence) isCode = !isCode;
  }
  return sections;
}

/** An indented line belongs to the item above it; code without indentation does not. */
function addLine({ prose, bullets }: Section, line: string, isCode: boolean): void {
  const bullet = isCode ? undefined : BULLET.exec(line)?.[1];
  const last = bullets.length - 1;
  if (bullet !== undefined) bullets.push(bullet);
  else if (last >= 0 && /^\s+\S/.test(line))
    bullets[last] = `${bullets[last] ?? ''}\n${line.replace(/^ {1,2}|^\t/, '')}`;
  else if (!/^@\S+$/.test(line.trim())) prose.push(line); // `@file` includes another file, which is imported by itself
}
