import type { Asked, Output } from '#contract/methods.ts';
import { resolveAll } from '../../ports/knob.ts';
import { answer, type RecallParts } from '../../recall/recall.ts';
import { rowsOfType } from '../../store/learnings/find.ts';
import { shardsIn } from '../../store/search/shards.ts';
import { logQuery } from '../log-query.ts';
import { resolveProject } from '../resolve-project.ts';
import { EXPERIENCE } from '../../recall/inject/experience-marks.ts';
import { toExperience } from './experience.ts';
import { ranked, RANKING_KNOBS, render } from './ranking.ts';

/** Phrases that ask for nothing. */
const SAYS_NOTHING =
  /^(?:ok(?:ay)?|k|yes|yep|yeah|no|nope|sure|thanks?|thank you|thx|ty|please|go on|continue|next|done|great|good|nice|cool|perfect|hi|hello|hey|lgtm)[\s.!]*$/i;

/** Experiences with similar tasks, found by ordinary recall and ranked by their outcomes. */
export async function queryExperiences(
  parts: RecallParts,
  question: Asked<'experience.query'>,
): Promise<Output<'experience.query'>> {
  const { db, now, settings } = parts;
  const { task, limit, session = '' } = question;
  if (SAYS_NOTHING.test(task.trim())) return { experiences: [], text: '', notices: ['Nothing was asked.'] };
  const resolved = resolveProject(question);
  const { halfLifeDays, candidates } = resolveAll(RANKING_KNOBS, settings.resolver());
  const shards = shardsIn(db, {
    project: resolved.project,
    branch: resolved.branch,
    allBranches: false,
    everywhere: false,
  });
  const only = new Set(rowsOfType(db, { type: EXPERIENCE, statuses: ['active'], shards }));
  if (only.size === 0) return { experiences: [], text: '', notices: [] };
  const start = performance.now();
  // `only` already limits the rows to the project, so the search itself is global.
  const asked = {
    query: task.slice(0, 4_000),
    only,
    global: true,
    limit: Math.min(100, limit * candidates),
    knobs: { RECALL_MMR: false },
  };
  const { hits, notices } = await answer(parts, asked, { quiet: true });
  const experiences = ranked(
    hits.map(({ learning }) => toExperience(learning)),
    now(),
    limit,
    halfLifeDays,
  );
  logQuery(parts, {
    task,
    cwd: question.cwd,
    project: resolved.project ?? '',
    session,
    ms: performance.now() - start,
    ids: experiences.map(({ id }) => id),
  });
  return { experiences, text: render(experiences), notices };
}
