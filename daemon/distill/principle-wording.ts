import type { Learning, Note } from '#contract/entities.ts';
import type { Material } from '../drain/writer.ts';
import { heuristic } from '../drain/writers/heuristic.ts';
import { writeWithModel, type WordingParts } from '../drain/writers/write-with-model.ts';

const MOST_SHOWN = 30;
const REQUEST = 'All of these say much the same. Keep the one rule that covers them.';

/** Has the configured model word what learnings have in common; null without a model, or when it has nothing to say. */
export async function wordPrinciple(
  parts: WordingParts,
  members: readonly Learning[],
  draft: Note,
): Promise<Partial<Note> | null> {
  if (parts.writer.name === heuristic.name) return null;
  const note = await writeWithModel(parts, materialOf(members, draft));
  if (!note) return null;
  const { title, rule, problem, rootCause, fix } = note;
  return { title, rule: rule || draft.rule, problem, rootCause, fix };
}

/** The learnings as a dialogue in which a person asks for their common rule. */
function materialOf(members: readonly Learning[], { project }: Note): Material {
  const at = Math.max(0, ...members.map(({ updatedAt }) => updatedAt));
  const ids = members.map(({ id }) => id).toSorted();
  const said = members.slice(0, MOST_SHOWN).map(({ title, rule, fix }) => ({
    role: 'agent' as const,
    text: [title, rule, fix].filter(Boolean).join('\n').slice(0, 1_000),
    at,
    trigger: false,
  }));
  return {
    key: `principle:${ids.join(' ')}`,
    signal: 'signal.preference',
    project,
    at,
    quote: REQUEST,
    type: 'preference',
    speculative: false,
    why: ['asks for what learnings have in common'],
    cues: [],
    score: 1,
    turns: [...said, { role: 'human', text: REQUEST, at, trigger: true }],
  };
}
