import { commitSubjects } from '../../platform/commit-subjects.ts';
import { branchScope, type ProjectIdentity } from '../../platform/project.ts';
import { contentWords } from '../../text/tokenise.ts';

const SUBJECTS = 5;
const SUBJECT_WORDS = 3;
/** Words that classify commits without saying what they are about. */
const COMMIT_WORDS = new Set(
  'feat fix chore docs doc test tests refactor perf style build ci revert merge branch commit wip add update remove pull request'.split(
    ' ',
  ),
);

/** The likely subject of a new session: the project, its branch, and the subjects of the last commits. */
export function sessionQuery({
  name,
  branch,
  root,
}: Pick<ProjectIdentity, 'name' | 'branch' | 'root'>): string {
  const words = [
    ...meaning(name),
    ...meaning(branchScope(branch) ?? ''),
    ...frequent(commitSubjects(root, SUBJECTS)),
  ];
  return [...new Set(words)].join(' ');
}

function frequent(subjects: string[]): string[] {
  const times = new Map<string, number>();
  for (const word of subjects.flatMap(meaning)) times.set(word, (times.get(word) ?? 0) + 1);
  // Sorting is stable: among equals, the words of the newest commit come first.
  return [...times]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SUBJECT_WORDS)
    .map(([word]) => word);
}

const meaning = (text: string) =>
  text.trim() === ''
    ? []
    : contentWords(text).filter((word) => !COMMIT_WORDS.has(word) && !/^\d+$/.test(word));
