import type { Note } from '#contract/entities.ts';
import { BRANCH_REASON } from '../knowledge/branch-release.ts';
import { straightQuotes } from '../text/sentences.ts';

type Words = Pick<Note, 'title' | 'rule'>;

/** A name for a branch and what is to become of it. */
const WORK = '(?:branch|pr|pull request|mr|merge request)';
const THIS_WORK = `(?:this|our|my|the current|the open) (?:[\\w-]+ )?${WORK}`;
/** Verbs of which the branch is only the object: "push to this branch" is an order, not a fact about it. */
const HANDLED = '(?:push|commit|merge|rebase|switch|checkout|check out|cherry-pick|force-push)';

/** A learning is the project's, unless it speaks of the unfinished work of the branch it was learned on. */
export function placeOnBranch(
  note: Words & Pick<Note, 'metadata'>,
  branch: string | null,
): Pick<Note, 'branch' | 'metadata'> {
  const reason = branch === null ? null : branchReason(note, branch);
  return reason === null
    ? { branch: null, metadata: note.metadata }
    : { branch, metadata: { ...note.metadata, [BRANCH_REASON]: reason } };
}

/**
 * Says in which words a note speaks of its branch's own unfinished work; null for one that holds in the whole project.
 * Title and rule decide: a body quotes what was said around it.
 */
export function branchReason({ title, rule }: Words, branch: string): string | null {
  const words = straightQuotes(`${title}\n${rule}`).replace(/[`*"]/g, '');
  const found = cuesFor(branch)
    .map((cue) => cue.exec(words)?.[0])
    .find((match) => match !== undefined);
  return found === undefined ? null : `it says “${found.replace(/\s+/g, ' ').trim()}”`;
}

function cuesFor(branch: string): RegExp[] {
  const work = [THIS_WORK, ...namesOf(branch)].join('|');
  return [
    // The branch as the place where something holds.
    `(?<!\\b${HANDLED}\\b[^.\\n]{0,30})\\b(?:on|in|for|within) (?:${work})\\b`,
    // The branch as the subject.
    `(?<![\\w/]|\\b(?:to|from|of|with|into|origin) )(?:${work}) (?:is|isn't|was|wasn't|has|hasn't|does|doesn't|did|adds?|removes?|replaces?|renames?|changes?|breaks?|moves?|still|only)\\b`,
    // Work that is not finished.
    `\\b(?:is|are|it's|that's|still)(?: still| only| just)?(?: a)? (?:wip|work in progress)\\b`,
    `\\b(?:not|isn't|aren't|hasn't been|haven't been)(?: been)? (?:yet )?(?:merged|landed)(?: yet)?\\b`,
    `\\b(?:until|till|once|after|when) (?:this|that|it|(?:the )?${WORK}|${work})(?:'s| is| gets| has been)? (?:merged|landed|lands|merges)\\b`,
  ].map((cue) => new RegExp(cue, 'i'));
}

/** A name with a slash is no everyday word; others count only beside the word "branch". */
function namesOf(branch: string): string[] {
  const name = branch.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const called = [`(?:the )?branch ${name}`, `(?:the )?${name} branch`];
  return branch.includes('/') ? [...called, name] : called;
}
