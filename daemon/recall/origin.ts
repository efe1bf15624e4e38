import type { Learning } from '#contract/entities.ts';
import { plainLine } from '../text/plain-line.ts';

const LONGEST_NAME = 60;

/** Where a learning comes from, in the words an agent reads beside it. */
export function originOf({ metadata, task, signals }: Learning): string {
  const { colleague, imported, writer } = metadata;
  if (typeof colleague === 'string') return `from ${plainLine(colleague, LONGEST_NAME)}`;
  if (imported !== undefined) return 'imported';
  if (writer === 'agent' || task !== '')
    return signals.proofCount > 1 ? 'written by an agent' : 'written by an agent, unconfirmed';
  return 'own';
}
