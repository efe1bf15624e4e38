import type { Learning } from '#contract/entities.ts';
import { disputeLine, type Rivals } from './disputes.ts';
import { marksOf } from './experience-marks.ts';
import { fieldLine, renderLearning } from '../render.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';

/** Past failures are worth more at the start of a session than past successes. */
export function isWarning({ outcome, keyMistake, type }: Learning): boolean {
  return outcome === 'fail' || keyMistake !== '' || type === 'anti-pattern';
}

/**
 * Half the places for what recall found, half for the newest: a correction of an hour ago is injected whatever the
 * session is about.
 */
export function mixed(found: Learning[], newest: Learning[], limit: number): Learning[] {
  const forNewest = Math.max(1, Math.floor(limit / 2));
  const forFound = Math.max(0, limit - forNewest);
  const all = [
    ...found.slice(0, forFound),
    ...newest.slice(0, forNewest),
    ...found.slice(forFound),
    ...newest.slice(forNewest),
  ];
  return [...new Map(all.map((learning) => [learning.id, learning])).values()];
}

/** The first learnings that fit the budget, the warnings among them moved up. */
export function choose(candidates: Learning[], limit: number, maxTokens: number): Learning[] {
  const chosen: Learning[] = [];
  let left = maxTokens;
  for (const learning of candidates) {
    const cost = estimateTokens(renderInjected(learning));
    if (chosen.length >= limit) break;
    if (cost > left) continue; // a shorter one may still fit
    left -= cost;
    chosen.push(learning);
  }
  return chosen.toSorted((a, b) => Number(isWarning(b)) - Number(isWarning(a)));
}

function renderInjected(learning: Learning, among: readonly Learning[] = []): string {
  const marks = marksOf(learning, among);
  const text = renderLearning(learning).replace(/^- /, `- ${marks}`);
  if (!isWarning(learning)) return text;
  const [title = '', ...rest] = text.split('\n');
  const { keyMistake, correctAction } = learning;
  const warning = [
    keyMistake && `  Mistake: ${fieldLine(keyMistake)}`,
    correctAction && `  Instead: ${fieldLine(correctAction)}`,
  ].filter(Boolean);
  return [marks ? title : title.replace(/^- /, '- Warning: '), ...warning, ...rest].join('\n');
}

function linesFor(learning: Learning, among: readonly Learning[], rivals: Rivals): string[] {
  const rival = rivals.get(learning.id);
  return [renderInjected(learning, among), ...(rival ? [disputeLine(rival)] : [])];
}

/** A heading that says how to get a whole note, and the learnings, warnings first. Empty when there are none. */
export function learningsBlock(
  heading: string,
  learnings: readonly Learning[],
  { first = [], rivals = new Map() }: { first?: readonly string[]; rivals?: Rivals } = {},
): string {
  const lines = [...first, ...learnings.flatMap((learning) => linesFor(learning, learnings, rivals))];
  return lines.length === 0
    ? ''
    : [`## ${fieldLine(heading)} (whole note: recall_hydrate, or \`reflect hydrate <id>\`)`, ...lines].join(
        '\n',
      );
}
