import type { Learning } from '#contract/entities.ts';
import type { Hydrated, IndexRow, TimelineRow } from '#contract/modes.ts';
import { branchScope, identifyProject } from '../../platform/project.ts';
import { flag, integer } from '../../ports/knob.ts';
import { projectPort } from '../../ports/port.ts';
import { findForAgents } from '../../store/learnings/learnings.ts';
import { countRecalls } from '../../store/learnings/signals.ts';
import { shardsIn } from '../../store/search/shards.ts';
import { momentsBeside, placeOf } from '../../store/learnings/find.ts';
import { answer, type RecallAnswer, type RecallParts, type RecallQuestion } from '../recall.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import { fieldNamed, projected } from './fields.ts';
import { oneLine } from '../../text/one-line.ts';
import { dateOf } from '../../platform/time.ts';

/** Titles first, whole notes only for those chosen: a search then costs what is read, not what was found. */
export const staged = projectPort({
  id: 'mode.staged',
  seeds: ['M1'],
  doc: 'Returns titles first, and whole notes only on request.',
  switch: flag(
    'RECALL_STAGED',
    true,
    'Shorten the rows of the index to their budget; off returns whole titles',
  ),
  knobs: {
    rowTokens: integer('REFLECT_INDEX_ROW_TOKENS', {
      default: 100,
      min: 50,
      max: 1_000,
      doc: 'Maximum tokens of one row of the index',
    }),
  },
});

const INDEX_LIMIT = 20;
const TITLE = 120; // characters
const PROJECT = 40;
const SHAVED = 20; // characters at a time

export interface Index extends Pick<
  RecallAnswer,
  'answer' | 'ood_gated' | 'nearMisses' | 'tokens' | 'ms' | 'notices'
> {
  rows: IndexRow[];
}

/** Step 1: the hits, as rows to choose from. */
export async function index(
  parts: RecallParts,
  question: RecallQuestion,
  options: { quiet?: boolean } = {},
): Promise<Index> {
  const {
    answer: direct,
    hits,
    ood_gated,
    nearMisses,
    ms,
    notices,
  } = await answer(
    parts,
    { ...question, limit: question.limit ?? INDEX_LIMIT },
    { ...options, glance: true },
  );
  const most = rowBudget(parts, question);
  const byStrength = [...hits.filter(({ weak }) => !weak), ...hits.filter(({ weak }) => weak)];
  const rows = byStrength.map(({ learning, score, weak, value }) =>
    fitted(
      {
        id: learning.id,
        title: learning.title,
        score: Math.round(score * 1e4) / 1e4,
        project: learning.project,
        date: dateOf(learning.createdAt),
        ...(weak ? { weak } : {}),
        ...(value === undefined ? {} : { value }),
      },
      most,
    ),
  );
  return {
    answer: direct,
    rows,
    ood_gated,
    nearMisses,
    ms,
    notices,
    tokens: rows.reduce((sum, row) => sum + costOf(row), 0),
  };
}

export interface TimelineQuestion extends Pick<
  RecallQuestion,
  'cwd' | 'project' | 'branch' | 'global' | 'allBranches' | 'knobs'
> {
  anchor: string;
  before: number;
  after: number;
}

/** Step 2: the learnings around one of them in time. Empty when no learning matches the anchor. */
export async function timeline(
  parts: RecallParts,
  { anchor, before, after, ...question }: TimelineQuestion,
): Promise<{ rows: TimelineRow[]; tokens: number }> {
  const { db } = parts;
  const chosen =
    findForAgents(db, anchor) ??
    (await answer(parts, { ...question, query: anchor, limit: 1 }, { quiet: true })).hits[0]?.learning;
  const place = chosen && placeOf(db, chosen.id);
  if (!place) return { rows: [], tokens: 0 };
  const shards = shardsAround(parts, question, chosen, place.shard);
  const most = rowBudget(parts, question);
  const row = (
    { id, title, project, createdAt }: Pick<Learning, 'id' | 'title' | 'project' | 'createdAt'>,
    isAnchor: boolean,
  ): TimelineRow => fitted({ id, title, project, date: dateOf(createdAt), anchor: isAnchor }, most);
  const rows = [
    ...momentsBeside(db, place, shards, 'before', before).map((moment) => row(moment, false)),
    row(chosen, true),
    ...momentsBeside(db, place, shards, 'after', after).map((moment) => row(moment, false)),
  ];
  return { rows, tokens: rows.reduce((sum, each) => sum + costOf(each), 0) };
}

/** Step 3: the chosen notes whole, or one field of each. Unknown ids are reported; the others still come. */
export function hydrate(
  { db, now }: Pick<RecallParts, 'db' | 'now'>,
  { ids, field, quiet = false }: { ids: string[]; field?: string | undefined; quiet?: boolean | undefined },
): { learnings: Hydrated[]; tokens: number } {
  const wanted = field === undefined ? null : fieldNamed(field);
  const known = ids.map((id) => ({ id, learning: findForAgents(db, id) }));
  const found = known.flatMap(({ learning }) => (learning ? [learning.id] : []));
  if (!quiet && found.length > 0) db.health.tolerate(() => countRecalls(db, [...new Set(found)], now()));
  const learnings = known.map(({ id, learning }): Hydrated => {
    if (!learning) return { id, found: false };
    const card = {
      id,
      found: true as const,
      title: learning.title,
      project: learning.project,
      date: dateOf(learning.createdAt),
    };
    return wanted
      ? { ...card, value: projected(learning, wanted) }
      : { ...card, note: learning, entities: learning.entities };
  });
  return { learnings, tokens: learnings.reduce((sum, each) => sum + costOf(each), 0) };
}

function rowBudget({ settings }: RecallParts, { cwd, knobs }: Pick<RecallQuestion, 'cwd' | 'knobs'>): number {
  const resolve = settings.resolver({
    call: knobs,
    projectRoot: cwd ? identifyProject(cwd)?.root : undefined,
  });
  return resolve(staged.switch) ? resolve(staged.knobs.rowTokens) : Infinity;
}

/** The shards of the timeline: those of the scope asked from, or, for an anchor outside of it, those of the anchor. */
function shardsAround(
  { db }: RecallParts,
  {
    cwd,
    project,
    branch,
    global = false,
    allBranches = false,
  }: Omit<TimelineQuestion, 'anchor' | 'before' | 'after'>,
  anchor: Learning,
  shard: number,
): number[] | null {
  const here = cwd ? identifyProject(cwd) : null;
  const asked = shardsIn(db, {
    project: project ?? here?.id ?? null,
    branch: branch ?? branchScope(here?.branch),
    allBranches,
    everywhere: global,
  });
  if (asked === null || asked.includes(shard)) return asked;
  return shardsIn(db, { project: anchor.project, branch: anchor.branch, allBranches, everywhere: false });
}

interface Shavable {
  title: string;
  project: string;
  value?: IndexRow['value'];
}

const costOf = (row: object) => estimateTokens(JSON.stringify(row));

/** Shortens the longest part of a row until it fits its budget; the id stays whole, because the next step needs it. */
function fitted<R extends Shavable>(row: R, most: number): R {
  if (most === Infinity) return row;
  let fits: R = {
    ...row,
    title: oneLine(row.title, TITLE),
    project: oneLine(row.project, PROJECT),
    ...(typeof row.value === 'string' ? { value: oneLine(row.value) } : {}),
  };
  while (costOf(fits) > most) {
    const { title, project, value } = fits;
    const text = typeof value === 'string' ? value : '';
    if (text.length > title.length) fits = { ...fits, value: shave(text) };
    else if (title !== '') fits = { ...fits, title: shave(title) };
    else if (project !== '') fits = { ...fits, project: shave(project) };
    else break;
  }
  return fits;
}

const shave = (text: string) =>
  text.length <= SHAVED ? '' : `${text.slice(0, -SHAVED).replace(/…$/, '').toWellFormed()}…`;
