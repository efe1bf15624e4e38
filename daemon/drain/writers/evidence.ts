import type { DrainedMoment } from '../writer.ts';

/** What was noticed is no more certain than this before a person or a second session has confirmed it (A5). */
const CEILING = 0.79;
const CONFIRMED: ReadonlyArray<[why: string, weight: number]> = [
  ['the agent agreed', 0.1],
  ['what failed passed afterwards', 0.1],
  ['was said before', 0.1],
  ['turns a tool call or a plan down', 0.05],
  ['answers a question the agent asked', 0.05],
];

/** Evidence, not eloquence: how sure the judge was, what the agent did about it, and whether anything bore it out. */
export function confidenceOf({ score, why, speculative, signal }: DrainedMoment): number {
  const borneOut = CONFIRMED.filter(([cue]) => why.includes(cue)).reduce(
    (sum, [, weight]) => sum + weight,
    0,
  );
  const repeated = signal === 'signal.repeated' ? 0.1 : 0;
  const sure = 0.35 + 0.35 * Math.min(1, score) + borneOut + repeated;
  return Math.round(Math.min(speculative ? 0.45 : CEILING, sure) * 100) / 100;
}

const HUMAN = [
  'rejection',
  'answer',
  'queued',
  'redirect',
  'repeated',
  'decision',
  'preference',
  'correction',
];
/** Whether a person said it; else the agent found it or the daemon saw it. */
export const saidByPerson = ({ signal }: DrainedMoment) => HUMAN.includes(signal.replace('signal.', ''));

const EVERYWHERE =
  /\b(?:always|never|from now on|i (?:always|never|prefer|hate|like)|in (?:all|every|any) (?:projects?|repos?)|everywhere)\b/i;

/** What a person wants of every agent, rather than of this code: it names no code and is put as a general rule. */
export function scopeOf({ project, type, quote }: DrainedMoment, namesCode: boolean): 'project' | 'global' {
  if (project === '') return 'global';
  return (type === 'preference' || type === 'correction') && !namesCode && EVERYWHERE.test(quote)
    ? 'global'
    : 'project';
}
