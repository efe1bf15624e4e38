import type { Learning } from '#contract/entities.ts';

/** A learning as an agent reads it: the rule first, then what it needs to act, and an id to ask for more. */
export function renderLearning(learning: Learning): string {
  const { title, problem, fix, rule, rootCause, speculative, id } = learning;
  const lines = [`- **${title}**${speculative ? ' (a guess, not confirmed)' : ''}`];
  if (rule && !says(title, rule)) lines.push(`  Rule: ${oneLine(rule)}`);
  if (fix && !says(title, fix) && !says(rule, fix)) lines.push(`  Fix: ${oneLine(fix)}`);
  if (problem) lines.push(`  Problem: ${oneLine(problem)}`);
  if (rootCause) lines.push(`  Cause: ${oneLine(rootCause)}`);
  lines.push(
    `  (${[dateOf(learning.createdAt), learning.provenance.agent, id].filter(Boolean).join(' · ')})`,
  );
  return lines.join('\n');
}

const LONGEST = 400;

export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

const says = (text: string, part: string) =>
  text.toLowerCase().startsWith(part.toLowerCase().replace(/[….]+$/, ''));
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
