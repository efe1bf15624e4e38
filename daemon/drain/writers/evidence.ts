import { HUMAN_KINDS } from '../../capture/judge/kinds.ts';
import type { Material } from '../writer.ts';

/** The highest confidence of a moment before a person or a second session has confirmed it (A5). */
const CEILING = 0.79;
const MOST_FOR_A_GUESS = 0.45;
const REPEATED_BONUS = 0.1;

/** Bonus to the confidence when one of these cues was among the reasons, by cue id. */
export const CUE_BONUS: Readonly<Record<string, number>> = {
  'agent-yielded': 0.1,
  'agent-praised': 0.1,
  'agent-understood': 0.1,
  rejection: 0.05,
  answer: 0.05,
};

/** Evidence, not eloquence: how sure the judge was, what the agent did about it, and whether it was said before. */
export function confidenceOf({ score, cues = [], speculative, signal }: Material): number {
  const confirmed = cues.reduce((sum, cue) => sum + (CUE_BONUS[cue] ?? 0), 0);
  const repeated = signal === 'signal.repeated' ? REPEATED_BONUS : 0;
  const sure = 0.35 + 0.35 * Math.min(1, score) + confirmed + repeated;
  return Math.round(Math.min(speculative ? MOST_FOR_A_GUESS : CEILING, sure) * 100) / 100;
}

const SAID_BY_PERSON: ReadonlySet<string> = new Set(HUMAN_KINDS.map((kind) => `signal.${kind}`));
/** True when a person said it; otherwise the agent found it or the daemon saw it. */
export const saidByPerson = ({ signal }: Pick<Material, 'signal'>) => SAID_BY_PERSON.has(signal);

/** "Always" and "never" say how firm a rule is, not where it holds; these say that it holds for every project. */
const EVERY_PROJECT =
  /\b(?:all|every|each|any)(?: of)?(?: (?:my|our|your|the|other))* (?:projects?|repos?|repositor(?:y|ies)|codebases?)\b/i;
const EVERYWHERE = /\b(?:everywhere|globally)\b/i;

/** Global only when the person says it for all projects, or when there is no project. */
export function scopeOf(
  { project, signal, quote }: Pick<Material, 'project' | 'signal' | 'quote'>,
  namesCode: boolean,
): 'project' | 'global' {
  if (project === '') return 'global';
  if (!saidByPerson({ signal })) return 'project';
  return EVERY_PROJECT.test(quote) || (!namesCode && EVERYWHERE.test(quote)) ? 'global' : 'project';
}
