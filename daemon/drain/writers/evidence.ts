import { HUMAN_KINDS } from '../../capture/judge/kinds.ts';
import type { Material } from '../writer.ts';

const SAID_BY_PERSON: ReadonlySet<string> = new Set(HUMAN_KINDS.map((kind) => `signal.${kind}`));
/** True when a person said it; otherwise the agent found it or the daemon saw it. */
export const saidByPerson = ({ signal }: Pick<Material, 'signal'>) => SAID_BY_PERSON.has(signal);

/** "Always" and "never" say how firm a rule is, not where it holds; these say that it holds for every project. */
const EVERY_PROJECT =
  /\b(?:all|every|each|any)(?: of)?(?: (?:my|our|your|the|other))* (?:projects?|repos?|repositor(?:y|ies)|codebases?)\b/i;
const EVERYWHERE = /\b(?:everywhere|globally)\b/i;

/** True for words that are meant for every project, not for one that is at hand. */
export const isForEveryProject = (quote: string): boolean =>
  EVERY_PROJECT.test(quote) || EVERYWHERE.test(quote);

/** Global only when the person says it for all projects, or when there is no project. */
export function scopeOf(
  { project, signal, quote }: Pick<Material, 'project' | 'signal' | 'quote'>,
  namesCode: boolean,
): 'project' | 'global' {
  if (project === '') return 'global';
  if (!saidByPerson({ signal })) return 'project';
  return EVERY_PROJECT.test(quote) || (!namesCode && EVERYWHERE.test(quote)) ? 'global' : 'project';
}
