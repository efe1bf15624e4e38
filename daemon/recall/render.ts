import type { Learning } from '#contract/entities.ts';
import { plainLine } from '../text/plain-line.ts';
import { dateOf } from '../platform/time.ts';
import { originOf } from './origin.ts';

const LONGEST_FIELD = 400; // characters

/** A learning as an agent reads it: the rule first, then what it needs to act, and an id to get the whole note. */
export function renderLearning(learning: Learning): string {
  const { title, problem, fix, rule, rootCause, speculative, id } = learning;
  const lines = [`- **${titleLine(title)}**${speculative ? ' (a guess, not confirmed)' : ''}`];
  if (rule && !says(title, rule)) lines.push(`  Rule: ${fieldLine(rule)}`);
  if (fix && !says(title, fix) && !says(rule, fix)) lines.push(`  Fix: ${fieldLine(fix)}`);
  if (problem) lines.push(`  Problem: ${fieldLine(problem)}`);
  if (rootCause) lines.push(`  Cause: ${fieldLine(rootCause)}`);
  lines.push(
    `  (${[dateOf(learning.createdAt), plainLine(learning.provenance.agent, 60), originOf(learning), id].filter(Boolean).join(' · ')})`,
  );
  return lines.join('\n');
}

/** A field of a learning as an agent reads it. */
export const fieldLine = (text: string): string => plainLine(text, LONGEST_FIELD);

/** Bold marks inside would end the bold of the title. */
export const titleLine = (title: string): string => fieldLine(title).replaceAll('**', '*');

const says = (text: string, part: string) =>
  text.toLowerCase().startsWith(part.toLowerCase().replace(/[….]+$/, ''));
