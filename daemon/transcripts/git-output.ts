/** `[branch 1a2b3c4] subject`, as git answers to a commit, a revert or a cherry-pick. */
const COMMITTED = /^\[[^\]\n]*?\b([0-9a-f]{7,40})\]\s+(\S.*)$/gm;
const REVERTS = /This reverts commit ([0-9a-f]{7,40})/;
const REVERT_COMMAND = /\bgit\b[^\n;&|]*\brevert\b[^\n;&|]*?\b([0-9a-f]{7,40})\b/;

export interface Commit {
  sha: string;
  message: string;
}

/** The commits that a command made, by what git printed; a revert's message says which commit it reverts. */
export function commitsIn(command: string, output: string): Commit[] {
  if (!/\bgit\b/.test(command)) return [];
  const reverted = (REVERTS.exec(output) ?? REVERTS.exec(command) ?? REVERT_COMMAND.exec(command))?.[1];
  return [...output.matchAll(COMMITTED)].map(([, sha = '', subject = '']) => {
    const isRevert = reverted !== undefined && (/^revert\b/i.test(subject) || REVERTS.test(command));
    return { sha, message: isRevert ? `${subject}\n\nThis reverts commit ${reverted}.` : subject };
  });
}
