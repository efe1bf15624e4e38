import type { Conventions } from '#contract/distill.ts';
import { learningsWords, placeOf } from '../learnings/words.ts';
import { formatAgo, formatPercent, projectName } from '../ui/format.ts';
import type { Decision } from './decisions.ts';
import { inboxWords as words } from './words.ts';

/** Whose conventions they are. */
export const conventionsOf = ({ project }: Conventions): string =>
  projectName(project) || learningsWords.global;

/** A decision as one row of the list: its title, and what else helps to choose it. */
export function lineOf(
  decision: Decision,
  isMarked: boolean,
  nameOf: (project: string) => string,
): { title: string; meta: string } {
  if (decision.kind === 'merge') {
    const { existing, similarity, at } = decision.question;
    return {
      title: existing.title,
      meta: `${words.similarity(formatPercent(similarity))} · ${formatAgo(at)}`,
    };
  }
  if (decision.kind === 'note') {
    const { title, documentProblem, category, createdAt } = decision.row;
    return {
      title,
      meta: documentProblem ?? [placeOf(decision.row, nameOf), category, formatAgo(createdAt)].join(' · '),
    };
  }
  if (decision.kind === 'candidate') {
    const { title, createdAt } = decision.candidate;
    return {
      title,
      meta: [
        ...(isMarked ? [words.candidate.marked] : []),
        placeOf(decision.candidate, nameOf),
        formatAgo(createdAt),
      ].join(' · '),
    };
  }
  if (decision.kind === 'skill') {
    const { skill, why, learnings } = decision.stale;
    return { title: skill.name, meta: [skill.agent, words.skillWhy[why](learnings.length)].join(' · ') };
  }
  if (decision.kind === 'batch') {
    const { from, added, changed, same } = decision.batch;
    return { title: words.batch.title(from), meta: words.batch.counts(added, changed, same) };
  }
  if (decision.kind === 'slot') {
    const { project, name, kind, agent, at } = decision.proposal;
    return {
      title: words.slotTitle[kind](name),
      meta: [nameOf(project) || words.slotEverywhere, agent, formatAgo(at)].join(' · '),
    };
  }
  if (decision.kind === 'publish') {
    const { title, space, project } = decision.offer;
    return { title, meta: [words.offer.title(space), projectName(project)].join(' · ') };
  }
  if (decision.kind === 'stray') return { title: decision.stray.path, meta: decision.stray.problem };
  if (decision.kind === 'conventions')
    return { title: conventionsOf(decision.conventions), meta: decision.conventions.path };
  const { query, times, sessions, lastAt } = decision.gap;
  return { title: query, meta: `${words.asked(times, sessions)} · ${formatAgo(lastAt)}` };
}
