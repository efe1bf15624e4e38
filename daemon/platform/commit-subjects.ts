import { closeSync, fstatSync } from 'node:fs';
import { join } from 'node:path';
import { gitFolderOf } from './project.ts';
import { openToRead, readAt } from './read-file.ts';

const TAIL = 32 * 1_024; // bytes; enough for a hundred moves of the head

/**
 * Subjects of the last commits made in this working tree, newest first. Read from the reflog of the head, because
 * starting `git` would cost a process for every session.
 */
export function commitSubjects(root: string, count: number): string[] {
  const folder = gitFolderOf(root);
  if (!folder) return [];
  const subjects = readTail(join(folder, 'logs', 'HEAD'))
    .split('\n')
    .map(subjectOf)
    .filter((subject) => subject !== '');
  // An amended commit is listed twice.
  return [...new Set(subjects.toReversed())].slice(0, count);
}

/** A line ends in a tab and what moved the head: `commit (amend): Fix the tax`, `checkout: moving from a to b`. */
function subjectOf(line: string): string {
  return (
    /\t(?:commit|cherry-pick|revert|am|rebase)(?: \((?:amend|initial|merge|cherry-pick|pick|reword|continue|edit)\))?: (.+)$/
      .exec(line)?.[1]
      ?.trim() ?? ''
  );
}

function readTail(file: string): string {
  let descriptor: number;
  try {
    descriptor = openToRead(file);
  } catch {
    return ''; // a fresh repository has no log, one in the newer `reftable` format keeps it elsewhere
  }
  try {
    const { size } = fstatSync(descriptor);
    return readAt(descriptor, Math.max(0, size - TAIL), TAIL).toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}
