import { execFile } from 'node:child_process';
import type { Note } from '#contract/entities.ts';
import { flag } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import { proseOf } from './prose.ts';

export const commitReferences = {
  id: 'drain.commit-references',
  seeds: ['M5'],
  doc: 'Looks up every commit a note names in its repository: a finding of an agent that names none that exists is not kept, others say which were not found.',
  switch: flag('REFLECT_VERIFY_COMMITS', true, 'Check with git that the commits a note names exist'),
  knobs: {},
} satisfies PortCard;

const TIMEOUT = 2_000; // ms
const MOST_REFERENCES = 50;

// Not a part of a longer name, of a UUID, of a colour or of a bundled file's name.
const REFERENCE = /(?<![\w.#-])(?:[0-9a-f]{7,40})(?![\w-]|\.\w)/g;
const ANNOUNCED = /\b(?:commits?|sha|revision|cherry-pick|revert(?:s|ed)?)[\s:/#`'"]{1,3}$/i;

/** Patterns of commit ids: hexadecimal with a digit, so that `defaced` is a word. A bare number counts only when called a commit. */
export function commitsIn(text: string): string[] {
  const found = [...text.matchAll(REFERENCE)].filter(
    ({ 0: reference, index }) =>
      /\d/.test(reference) &&
      (/[a-f]/.test(reference) || ANNOUNCED.test(text.slice(Math.max(0, index - 20), index))),
  );
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
  const known = named.length > 0 && root !== '' ? await existing(root, named) : null;
  const unverified = known ? named.filter((reference) => !known.has(reference)) : [];
  return { unverified, allUnverified: unverified.length > 0 && unverified.length === named.length };
}

/** One process for all of them. Null when git cannot tell: no repository, no git, or no answer in time. */
function existing(root: string, references: string[]): Promise<Set<string> | null> {
  // Nothing a cloned repository configures may run or reach the network: objects of a partial clone are not fetched.
  const args = ['-c', 'protocol.allow=never', 'cat-file', '--batch-check=%(objecttype)'];
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')),
  );
  return new Promise((resolve) => {
    const child = execFile(
      'git',
      args,
      {
        cwd: root,
        timeout: TIMEOUT,
        env: { ...environment, GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' },
      },
      (error, stdout) => {
        const types = stdout.split('\n');
        resolve(error ? null : new Set(references.filter((_, at) => types[at] === 'commit')));
      },
    );
    child.stdin?.on('error', () => {}); // git ended before it read; the callback says so
    child.stdin?.end(references.map((reference) => `${reference}^{commit}\n`).join(''));
  });
}
