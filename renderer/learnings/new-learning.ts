import * as z from 'zod';
import type { Input } from '#contract/methods.ts';
import type { DraftKind } from '../drafts.svelte.ts';

/** A learning that a person writes down. */
export interface NewLearning {
  title: string;
  why: string;
  /** '' means every project. */
  project: string;
}

export const newLearningDrafts: DraftKind<NewLearning> = {
  name: 'new-learning',
  schema: z.object({ title: z.string(), why: z.string(), project: z.string() }),
  isUnsaved: ({ title, why }) => title.trim() !== '' || why.trim() !== '',
};
/** There is one form for a new learning. */
export const NEW = 'new';

/** The rule is its title: one sentence that stands alone. */
export function noteOf({ title, why, project }: NewLearning): Input<'learnings.create'>['note'] {
  const rule = title.trim();
  return { title: rule, rule, problem: why.trim(), project, scope: project === '' ? 'global' : 'project' };
}
