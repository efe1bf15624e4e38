import type { Learning } from '#contract/entities.ts';
import type { Hit } from '#contract/recall.ts';
import type { Economics } from '#contract/modes.ts';
import { flag } from '../../ports/knob.ts';
import { projectPort } from '../../ports/port.ts';
import { renderLearning } from '../render.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';

export const tokenEconomics = projectPort({
  id: 'mode.economics',
  seeds: ['M8'],
  doc: 'Shows what each result cost to find out and costs to read.',
  switch: flag('RECALL_ECONOMICS', true, 'Show what the recalled learnings cost and save'),
  knobs: {},
});

/** Average tokens it took to work out a learning of a type, for those whose transcript is not known. */
const TYPICAL_DISCOVERY: Readonly<Record<string, number>> = {
  'bug-fix': 3_000,
  'anti-pattern': 2_500,
  correction: 2_000,
  pattern: 1_500,
  decision: 1_200,
};
const OTHER_DISCOVERY = 1_500;
const BYTES_PER_TOKEN = 4;

/** The sign of each type of learning, as the mode in force defines it. */
export type Glyphs = Readonly<Record<string, string>>;
const OTHER_GLYPH = '·';

/** Tokens it took to work out: the dialogue as the drain noted it, else its transcript, else its type's average. */
export function discoveryTokens({ metadata, frontMatter, provenance, type }: Learning): number {
  const noted = metadata.discoveryTokens ?? metadata.discovery_tokens ?? frontMatter?.discovery_tokens;
  if (typeof noted === 'number' && Number.isFinite(noted) && noted > 0) return Math.round(noted);
  const span = provenance.spanEnd - provenance.spanStart;
  if (provenance.transcript !== '' && span > 0) return Math.max(1, Math.round(span / BYTES_PER_TOKEN));
  return TYPICAL_DISCOVERY[type] ?? OTHER_DISCOVERY;
}

/** The figures of what was recalled; null when nothing was. */
export function economicsOf(
  hits: ReadonlyArray<Pick<Hit, 'learning' | 'tokens'>>,
  glyphs: Glyphs = {},
): Economics | null {
  if (hits.length === 0) return null;
  const rows = hits.map(({ learning, tokens }) =>
    rowOf(learning, tokens, glyphs[learning.type] ?? OTHER_GLYPH),
  );
  const sum = (figure: 'discoveryTokens' | 'readTokens') =>
    rows.reduce((total, row) => total + row[figure], 0);
  const [discovery, read] = [sum('discoveryTokens'), sum('readTokens')];
  const line = `${rows.length} ${rows.length === 1 ? 'learning' : 'learnings'}, ~${read} tok injected, est ~${discovery - read} tok saved`;
  return {
    learnings: rows.length,
    discoveryTokens: discovery,
    readTokens: read,
    savedTokens: discovery - read,
    header: `— ${line}`,
    footer: `memory: ${line}`,
    rows,
  };
}

/** One line for a block that is injected whole. */
export function economicsLine(learnings: readonly Learning[]): string {
  return (
    economicsOf(learnings.map((learning) => ({ learning, tokens: estimateTokens(renderLearning(learning)) })))
      ?.header ?? ''
  );
}

function rowOf(learning: Learning, readTokens: number, glyph: string): Economics['rows'][number] {
  const discovery = discoveryTokens(learning);
  const savingsPercent = Math.round(((discovery - readTokens) / discovery) * 100);
  // Reading may cost more than working it out did; then the line shows no saving.
  const change = savingsPercent < 0 ? `+${-savingsPercent}` : `-${savingsPercent}`;
  return {
    id: learning.id,
    glyph,
    discoveryTokens: discovery,
    readTokens,
    savingsPercent,
    text: `${glyph} D:${discovery} → R:${readTokens} (${change}%)`,
  };
}
