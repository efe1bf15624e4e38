import { flag } from '../../ports/knob.ts';
import { type Sighting, signal } from '../port.ts';
import { commandOf, hasFailed, ToolUses } from '../tool-use.ts';

const REVERTS = /\bThis reverts commit ([0-9a-f]{7,64})\b/gi;
const REVERT_COMMAND = /\bgit\s+(?:-C\s+\S+\s+)?revert\b([^;&|\n]*)/g;
const CONFLICT = /^CONFLICT \(/m;

export const git = signal({
  id: 'signal.git',
  seeds: ['SG2'],
  doc: 'Links commits to their session, and retracts what it learned when a commit is reverted.',
  switch: flag('REFLECT_SIGNAL_GIT', true, 'Follow commits and reverts'),
  knobs: {},
  start() {
    const uses = new ToolUses();
    let conflict = false;
    let latest = '';
    return {
      see(event): Sighting[] {
        if (event.kind === 'git' && event.sha !== '') {
          const { sha, branch, message } = event;
          const conflictResolved = conflict;
          [latest, conflict] = [sha, false];
          return [
            { sees: 'commit', sha: sha.toLowerCase(), branch: branch ?? '', message, conflictResolved },
            ...revertsIn(message).map(asRevert),
          ];
        }
        const use = uses.follow(event);
        const command = use && commandOf(use.call);
        if (!command || !/\bgit\b/.test(command)) return [];
        if (CONFLICT.test(use.result.output)) conflict = true;
        return hasFailed(use.result) ? [] : revertedBy(command, latest).map(asRevert);
      },
    };
  },
});

const asRevert = (sha: string): Sighting => ({ sees: 'revert', sha });

/** The commits a message says it reverts. */
export function revertsIn(message: string): string[] {
  return [...message.matchAll(REVERTS)].map(([, sha = '']) => sha.toLowerCase());
}

/** The commits named after `git revert`; HEAD is the one this session made last. */
function revertedBy(command: string, latest: string): string[] {
  return [...command.matchAll(REVERT_COMMAND)]
    .flatMap(([, words = '']) => words.trim().split(/\s+/))
    .map((word) => (word === 'HEAD' ? latest : word).toLowerCase())
    .filter((word) => /^[0-9a-f]{7,64}$/.test(word));
}
