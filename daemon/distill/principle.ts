import * as z from 'zod';
import type { PrincipleProposal } from '#contract/distill.ts';
import { type Learning, Note } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import { learningsOfType } from '../store/learnings/find.ts';
import type { ReadableDb } from '../store/db.ts';
import { changeLearning, type Saved, type Store } from '../store/learnings/write.ts';
import { findLearning, getLearning } from '../store/learnings/learnings.ts';
import type { CommonRule } from './common-rule.ts';

export const PRINCIPLE = 'principle';
const MOST_LISTED = 50;
const MOST_TAGS = 20;
const LONGEST_LINE = 300;

const Sources = z.object({ sources: z.array(z.string()).catch([]) });

/** The learnings a principle is based on. */
export const sourcesOf = ({ metadata }: Pick<Note, 'metadata'>): string[] => Sources.parse(metadata).sources;

/** Principles that wait for a person's decision, with their sources. */
export function proposedPrinciples(db: ReadableDb): PrincipleProposal[] {
  return learningsOfType(db, { type: PRINCIPLE, statuses: ['proposed'] }).map((principle) => ({
    principle,
    sources: sourcesOf(principle)
      .map((id) => findLearning(db, id))
      .filter((found) => found !== null)
      .map(({ id, title, status }) => ({ id, title, status })),
  }));
}

/** Accepts or rejects a principle; it can be undone like any change. */
export function decidePrinciple(
  store: Store,
  id: string,
  accepted: boolean,
  wording: Partial<Pick<Note, 'title' | 'rule'>>,
): Saved {
  const principle = getLearning(store.db, id);
  if (principle.type !== PRINCIPLE || principle.status !== 'proposed')
    throw new DaemonError('conflict', `${id} is not a principle that waits for a decision`);
  const patch: Partial<Note> = accepted ? { ...wording, status: 'active' } : { status: 'rejected' };
  return changeLearning(store, id, patch, {
    actor: 'person',
    kind: 'update',
    reason: accepted ? 'accepted as a principle' : 'rejected as a principle',
  });
}

/** Drafts a principle in the words of one of its learnings, so that nothing is invented. */
export function draftPrinciple(members: readonly Learning[], { text, from }: CommonRule): Note {
  return Note.parse({
    title: text,
    type: PRINCIPLE,
    status: 'proposed',
    project: from.project,
    scope: from.scope,
    category: commonest(members.map(({ category }) => category)) ?? 'general',
    tags: sharedTags(members),
    confidence: mean(members.map(({ confidence }) => confidence)),
    rule: text,
    keyInsight: `${members.length} learnings support this.`,
    body: bodyOf(members),
    metadata: { sources: members.map(({ id }) => id) },
    provenance: { agent: 'distill' },
  });
}

export function bodyOf(members: readonly Learning[]): string {
  const lines = members
    .slice(0, MOST_LISTED)
    .map(({ id, title, rule, fix }) => `- ${title}${detail(title, rule || fix)} (${id})`);
  const more = members.length > MOST_LISTED ? `\n- and ${members.length - MOST_LISTED} more` : '';
  return `Based on ${members.length} learnings:\n\n${lines.join('\n')}${more}`;
}

const detail = (title: string, said: string) =>
  said === '' || said === title ? '' : `: ${said.replace(/\s+/g, ' ').slice(0, LONGEST_LINE)}`;

/** Tags that at least half of them have. */
function sharedTags(members: readonly Learning[]): string[] {
  const times = Map.groupBy(
    members.flatMap(({ tags }) => tags),
    (tag) => tag,
  );
  return [...times]
    .filter(([, all]) => all.length * 2 >= members.length)
    .map(([tag]) => tag)
    .slice(0, MOST_TAGS);
}

const commonest = (values: string[]) =>
  [...Map.groupBy(values, (value) => value)].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
