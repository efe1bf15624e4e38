import type { Note } from '#contract/entities.ts';
import { askGit } from '../platform/git.ts';
import { flag } from '../ports/knob.ts';
import { projectPort } from '../ports/port.ts';
import { proseOf } from './prose.ts';

export const commitReferences = projectPort({
  id: 'drain.commit-references',
  seeds: ['M5'],
  doc: 'Checks every commit a note names: an agent’s finding without an existing commit is dropped, other notes list the missing ones.',
  switch: flag('REFLECT_VERIFY_COMMITS', true, 'Check with git that the commits a note names exist'),
  knobs: {},
});

const TIMEOUT = 2_000; // ms
const MOST_REFERENCES = 50;

// Not a part of a longer name, of a UUID, of a colour or of a bundled file's name.
const REFERENCE = /(?<![\w.#-])(?:[0-9a-f]{7,40})(?![\w-]|\.\w)/g;
const ANNOUNCED = /\b(?:commits?|sha|revision|cherry-pick|revert(?:s|ed)?)[\s:/#`'"]{1,3}$/i;

// Ids of background tasks, agents and shells, and hashes of contents, look like commits and are called something else.
const OTHER_NAMES =
  'task job agent shell bash process background id blob tree object index checksum digest etag md5 sha256';
const OTHER_NAME = new RegExp(
  `(?<![a-z]|commit[\\s_-])(?:${OTHER_NAMES.replaceAll(' ', '|')})s?(?:[\\s_-]?ids?)?[\\s:=#\`'"(<>[]{1,3}$`,
  'i',
);
const BEFORE = 24; // characters, enough for the name in front of an id

/**
 * Patterns of commit ids: hexadecimal with a digit, so that `defaced` is a word. A bare number counts only when called
 * a commit.
 */
export function commitsIn(text: string): string[] {
  const found = [...text.matchAll(REFERENCE)].filter(({ 0: reference, index }) => {
    const before = text.slice(Math.max(0, index - BEFORE), index);
    if (!/\d/.test(reference) || OTHER_NAME.test(before)) return false;
    return /[a-f]/.test(reference) || ANNOUNCED.test(before);
  });
  return [...new Set(found.map(([reference]) => reference))].slice(0, MOST_REFERENCES);
}

export interface Verdict {
  unverified: string[];
  /** The note names commits and not one of them exists. */
  allUnverified: boolean;
}

/** The commits a note names that are not in the repository; none without a repository to ask. */
export async function verifyCommits(note: Note, root: string): Promise<Verdict> {
  const named = commitsIn(proseOf(note));
  const kinds = named.length > 0 && root !== '' ? await kindsOf(root, named) : null;
  const unverified = named.filter((_, at) => kinds?.[at] === 'missing');
  const verified = named.some((_, at) => kinds?.[at] === 'commit');
  return { unverified, allUnverified: unverified.length > 0 && !verified };
}

type Kind = 'commit' | 'missing' | 'other';

/** One process for all. Null when git cannot tell. A file's hash is no lost commit; an ambiguous one may be any. */
async function kindsOf(root: string, references: string[]): Promise<Kind[] | null> {
  const answer = await askGit({
    root,
    args: ['cat-file', '--batch-check=%(objecttype)'],
    input: references.map((reference) => `${reference}\n`).join(''),
    signal: AbortSignal.timeout(TIMEOUT),
  });
  return (
    answer?.split('\n').map((line) => {
      if (line.endsWith(' missing')) return 'missing';
      return line === 'commit' || line === 'tag' ? 'commit' : 'other';
    }) ?? null
  );
}
