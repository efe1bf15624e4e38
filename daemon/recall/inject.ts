import type { Learning } from '#contract/entities.ts';
import { branchScope, identifyProject } from '../platform/project.ts';
import { flag, integer } from '../ports/knob.ts';
import { newestIn } from '../store/learnings.ts';
import { shardsIn } from '../store/shards.ts';
import { listSlots } from '../store/slots.ts';
import { answer, type RecallParts } from './recall.ts';
import { renderLearning } from './render.ts';
import { estimateTokens } from './tokens.ts';

export const INJECT_KNOBS = {
  limit: integer('REFLECT_INJECT_LIMIT', { default: 5, min: 0, max: 50, doc: 'How many learnings a session starts with at most' }),
  maxTokens: integer('REFLECT_INJECT_MAX_TOKENS', { default: 1_000, min: 50, max: 100_000, doc: 'Most tokens a session start may cost' }),
  slots: flag('REFLECT_SLOTS', true, 'Start sessions with the pinned slots'),
};

export interface Injection {
  text: string;
  ids: string[];
  tokens: number;
}

const NOTHING: Injection = { text: '', ids: [], tokens: 0 };

/** What an agent is told when a session starts: pinned slots, then what fits, then what was learned here last. Nothing when there is nothing. */
export async function inject(parts: RecallParts, { cwd, session, query }: { cwd: string; session?: string | undefined; query?: string | undefined }): Promise<Injection> {
  const here = identifyProject(cwd);
  if (!here) return NOTHING;
  const resolve = parts.settings.resolver({ projectRoot: here.root });
  const budget = resolve(INJECT_KNOBS.maxTokens);
  const pinned = resolve(INJECT_KNOBS.slots) ? renderSlots(parts, here.id, budget) : '';
  const branch = branchScope(here.branch);
  const asked = query ?? [here.name, branch ?? ''].join(' ').replace(/[/_-]+/g, ' ').trim();
  const { hits } = await answer(parts, { query: asked, cwd, session, limit: 20, knobs: { RECALL_CROSS_ENCODER: false } }, { quiet: true });
  const newest = newestIn(parts.db, shardsIn(parts.db, { project: here.id, branch, allBranches: false, everywhere: false }), 20);
  // A session that begins has asked nothing yet; what was learned here last is the better guess, words only reorder it.
  const candidates = distinct(query ? hits.map(({ learning }) => learning) : [...newest, ...hits.map(({ learning }) => learning)]);
  const chosen = pack(candidates.slice(0, resolve(INJECT_KNOBS.limit)), budget - estimateTokens(pinned));
  if (!pinned && chosen.length === 0) return NOTHING;
  const learnings = chosen.length === 0 ? '' : `## Learned earlier in ${here.name}\n${chosen.map(renderLearning).join('\n')}`;
  const text = [pinned, learnings].filter(Boolean).join('\n\n');
  return { text, ids: chosen.map(({ id }) => id), tokens: estimateTokens(text) };
}

function renderSlots({ db }: RecallParts, project: string, budget: number): string {
  const filled = listSlots(db, project).filter(({ content }) => content.trim() !== '');
  if (filled.length === 0) return '';
  const text = ['## Pinned', ...filled.map(({ name, content }) => `### ${name}\n${content.trim()}`)].join('\n');
  return text.slice(0, budget * 4);
}

function distinct(learnings: Learning[]): Learning[] {
  return [...new Map(learnings.map((learning) => [learning.id, learning])).values()];
}

function pack(learnings: Learning[], budget: number): Learning[] {
  let left = budget;
  return learnings.filter((learning) => (left -= estimateTokens(renderLearning(learning))) >= 0);
}
