import type { Entity } from '#contract/entities.ts';

/** A thing at its place in a sentence. */
export interface Named {
  name: string;
  start: number;
  end: number;
}

/** Names of code that carry their own mark: RunTask, run(), --force, API_KEY, app.env. */
const CODE_NAME = new RegExp(
  `(?<![\\w\`.-])(?:${[
    '[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+(?:\\.\\w+)*',
    '[A-Za-z]\\w*(?:\\.\\w+)*\\(\\)',
    '[a-z]+\\.[A-Z]\\w+',
    '--[a-z][\\w-]+',
    '[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+',
  ].join('|')})(?![\\w-])`,
  'g',
);

/** The things a sentence names, in order; of those that overlap the longest: `git push` and not `git`. */
export function namesIn(sentence: string, entities: readonly Entity[]): Named[] {
  const listed = entities.flatMap(({ name }) =>
    [...sentence.matchAll(whole(name))].map(({ index }) => placed(name, index)),
  );
  const coded = [...sentence.matchAll(CODE_NAME)].map(({ 0: name, index }) => placed(name, index));
  const kept: Named[] = [];
  for (const next of [...listed, ...coded].toSorted((one, other) => other.name.length - one.name.length))
    if (!kept.some(({ start, end }) => next.start < end && start < next.end)) kept.push(next);
  return kept.toSorted((one, other) => one.start - other.start);
}

const placed = (name: string, start: number): Named => ({ name, start, end: start + name.length });

/** A name where it is not part of a longer one: `npm` is not in `pnpm`, nor `git` in `git-lfs` or `.git/hooks`. */
const whole = (name: string) =>
  new RegExp(`(?<![\\w./-])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w/-]|\\.\\w)`, 'gi');
