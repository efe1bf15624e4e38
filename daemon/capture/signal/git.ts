import { flag } from '../../ports/knob.ts';
import type { TranscriptEvent } from '../../transcripts/adapter.ts';
import { type Effect, type Sighting, signal } from '../port.ts';
import { commandOf, hasFailed, type ToolUse, ToolUses } from '../tool-use.ts';

type Commit = Extract<Effect, { sees: 'commit' }>;

const REVERTS = /\bThis reverts commit ([0-9a-f]{7,64})\b/gi;
const REVERT_COMMAND = /\bgit\s+(?:-C\s+\S+\s+)?revert\b([^;&|\n]*)/g;
// What git prints after a commit: `[main (root-commit) 1a2b3c4] Subject`.
const COMMITTED = /^\[(\S+)(?: \([^)]*\))? ([0-9a-f]{7,40})\] (.+)$/gm;
const COMMITS = /\bgit\s+(?:-C\s+\S+\s+)?(?:commit|cherry-pick|merge|revert|rebase|am)\b/;
const CONFLICT = /^CONFLICT \(/m;

export const git = signal({
  id: 'signal.git',
  seeds: ['SG2'],
  doc: 'Ties commits to the session that made them, and takes back what a session learned when its commit is reverted.',
  switch: flag('REFLECT_SIGNAL_GIT', true, 'Follow commits and reverts'),
  knobs: {},
  start() {
    const uses = new ToolUses();
    const reported = new Set<string>();
    let conflict = false;
    let latest = '';

    function commit(found: Omit<Commit, 'sees' | 'conflictResolved'>): Sighting[] {
      // An agent's own record of a commit and what git printed are one commit.
      const start = found.sha.slice(0, 7);
      if (start === '' || reported.has(start)) return [];
      reported.add(start);
      latest = found.sha;
      const conflictResolved = conflict;
      conflict = false;
      return [{ sees: 'commit', ...found, conflictResolved }, ...revertsIn(found.message)];
    }

    return {
      see(event): Sighting[] {
        if (event.kind === 'git') return commit({ sha: event.sha.toLowerCase(), branch: event.branch ?? '', message: event.message });
        const use = uses.follow(event);
        const command = use && commandOf(use.call);
        if (!command || !COMMITS.test(command)) return [];
        if (CONFLICT.test(use.result.output)) conflict = true;
        const reverted = hasFailed(use.result) ? [] : shasReverted(command, latest);
        return [...reverted.map((sha): Sighting => ({ sees: 'revert', sha })), ...committedIn(use, command, event).flatMap(commit)];
      },
    };
  },
});

function revertsIn(message: string): Sighting[] {
  return [...message.matchAll(REVERTS)].map(([, sha = '']) => ({ sees: 'revert', sha: sha.toLowerCase() }));
}

/** The commits named after `git revert`; HEAD is the one this session made last. */
function shasReverted(command: string, latest: string): string[] {
  return [...command.matchAll(REVERT_COMMAND)]
    .flatMap(([, words = '']) => words.trim().split(/\s+/))
    .map((word) => (word === 'HEAD' ? latest : word.toLowerCase()))
    .filter((word) => /^[0-9a-f]{7,64}$/.test(word));
}

function committedIn({ result }: ToolUse, command: string, { branch }: TranscriptEvent): Array<Omit<Commit, 'sees' | 'conflictResolved'>> {
  // The whole message stands in the command, the subject alone in the output.
  const body = command.match(REVERTS)?.join('\n') ?? '';
  return [...result.output.matchAll(COMMITTED)].map(([, name = '', sha = '', subject = '']) => ({
    sha, branch: name === 'detached' ? (branch ?? '') : name, message: body ? `${subject}\n\n${body}` : subject,
  }));
}
