import type { Learning } from '#contract/entities.ts';
import { branchScope, identifyProject, type ProjectIdentity } from '../../platform/project.ts';
import { allPerProject, integer, number, type Resolve, resolveAll } from '../../ports/knob.ts';
import { withKnob } from '../../ports/overrides.ts';
import type { PortCard } from '../../ports/port.ts';
import { learningsOfType } from '../../store/learnings/find.ts';
import { listProjects, newestIn } from '../../store/learnings/learnings.ts';
import type { Matched } from '../../store/outcomes/session-uses.ts';
import { shardsIn } from '../../store/search/shards.ts';
import { FACT, factsToInject, factTier, renderFacts } from './fact-tier.ts';
import { grounding, isEnough, probeOf } from './grounding.ts';
import { framed, type Injection, injectionOf } from './injection.ts';
import { prevailing, rivalsOf, type Rivals } from './disputes.ts';
import { choose, learningsBlock, mixed } from './learnings-block.ts';
import { LEARN_HINT, learnHint } from './learn-hint.ts';
import { loopWarning } from './loop-warning.ts';
import { nudge } from './nudge.ts';
import { promptTier } from './prompt.ts';
import { sessionQuery } from './session-query.ts';
import { MOST_SKILLS, renderSkills, skillTier } from './skill-tier.ts';
import { renderSlots, slotTier } from './slot-tier.ts';
import { toolWarning } from './tool-warning.ts';
import { economicsLine, tokenEconomics } from '../modes/economics.ts';
import type { DirectAnswer } from '../port.ts';
import { outOfDomain } from '../gate/out-of-domain.ts';
import { matchedIn } from '../hits.ts';
import { answer, type RecallParts } from '../recall.ts';
import type { SkillsIndex } from '../skills/skills-index.ts';
import { slotsOf } from '../../knowledge/slots.ts';
import { fieldLine } from '../render.ts';

export const INJECT_KNOBS = allPerProject({
  limit: integer('REFLECT_INJECT_LIMIT', {
    default: 5,
    min: 0,
    max: 50,
    doc: 'Maximum number of learnings a session starts with',
  }),
  maxTokens: integer('REFLECT_INJECT_MAX_TOKENS', {
    default: 1_000,
    min: 50,
    max: 100_000,
    doc: 'Maximum tokens of learnings a session starts with; slots have their own limit',
  }),
  minOverlap: number('REFLECT_INJECT_MIN_OVERLAP', {
    default: 0.2,
    min: 0,
    max: 1,
    doc: 'Minimum relevance of the best learning to the session; 0 for no minimum',
  }),
});

/** The tiers of a session start, in the order they are injected. */
export const INJECT_PORTS: readonly PortCard[] = [
  slotTier,
  factTier,
  skillTier,
  grounding,
  promptTier,
  toolWarning,
  learnHint,
  nudge,
  loopWarning,
];

export interface InjectParts extends RecallParts {
  skills: SkillsIndex;
  /** The file of a project's conventions, as long as it is fresh (O2). */
  conventions?: (project: string) => string | null;
}

export interface InjectRequest {
  cwd: string;
  /** A project by its id, instead of the one of cwd: for previewing it from elsewhere. */
  project?: string | undefined;
  session?: string | undefined;
  query?: string | undefined;
  knobs?: Record<string, unknown> | undefined;
  /** When the agent stops waiting, on the clock of `performance.now()`. */
  deadline?: number | undefined;
  /** The agent can record learnings, so it may be told when to. */
  canLearn?: boolean;
  /** A session that continues: the learnings in its context, and when it last got some; only newer ones follow. */
  continues?: { injected: ReadonlySet<string>; since: number };
}

interface Block {
  text: string;
  learnings: Learning[];
  matched?: Matched;
}

const NEW_SESSION = { injected: new Set<string>(), since: -Infinity };

/**
 * The block injected when a session starts: pinned slots, conventions, facts, then a skill that fits or learnings. May
 * be empty.
 */
export async function inject(parts: InjectParts, request: InjectRequest): Promise<Injection> {
  const here =
    request.project === undefined ? identifyProject(request.cwd) : knownProject(parts, request.project);
  if (!here) return injectionOf('', []);
  const resolve = parts.settings.resolver({ call: request.knobs, projectRoot: here.root });
  const { injected: before, since } = request.continues ?? NEW_SESSION;
  const pinned =
    request.continues === undefined && resolve(slotTier.switch)
      ? renderSlots(slotsOf(parts.db, here.id), resolve(slotTier.knobs.maxChars))
      : '';
  const conventions =
    request.continues === undefined ? conventionsLine(here, parts.conventions?.(here.id) ?? null) : '';
  const facts = resolve(factTier.switch)
    ? factsToInject(factsHere(parts, here), resolveAll(factTier.knobs, resolve)).filter(
        ({ id, updatedAt }) => !before.has(id) && updatedAt > since,
      )
    : [];
  const {
    text: found,
    learnings,
    matched,
  } = await belowSlots(parts, request, here, resolve, new Set([...before, ...facts.map(({ id }) => id)]));
  const economics = learnings.length > 0 && resolve(tokenEconomics.switch) ? economicsLine(learnings) : '';
  const hint = request.canLearn && resolve(learnHint.switch) ? LEARN_HINT : '';
  const joined = (blocks: string[]) => blocks.filter(Boolean).join('\n\n');
  const notes = joined([
    pinned,
    conventions,
    renderFacts(facts),
    [found, economics].filter(Boolean).join('\n'),
  ]);
  return injectionOf(joined([framed(notes), hint]), [...facts, ...learnings], matched);
}

/** A known project as its sessions on the trunk see it. */
function knownProject({ db }: InjectParts, id: string): ProjectIdentity | null {
  const known = listProjects(db).find((project) => project.id === id);
  return known ? { id, name: known.name, root: known.root, branch: null, trunk: null } : null;
}

const conventionsLine = ({ name }: ProjectIdentity, path: string | null) =>
  path === null ? '' : `The conventions of ${fieldLine(name)} are in ${fieldLine(path)}`;

/** The skills or learnings that follow slots and facts. `injected` are those the session has or gets anyway. */
async function belowSlots(
  parts: InjectParts,
  request: InjectRequest,
  here: ProjectIdentity,
  resolve: Resolve,
  injected: ReadonlySet<string>,
): Promise<Block> {
  const about = request.query?.trim() || sessionQuery(here);
  if (resolve(skillTier.switch)) {
    const skills = parts.skills
      .find(about, here.root, MOST_SKILLS)
      .filter(({ score }) => score >= resolve(skillTier.knobs.minScore));
    if (skills.length > 0) return { text: renderSkills(skills), learnings: [] };
    const enough = resolve(grounding.switch) ? await oneIsEnough(parts, request, about, resolve) : null;
    if (enough && !request.continues)
      return { text: block(here, [enough], { rivals: rivalsOf(parts.db, [enough]) }), learnings: [enough] };
  }
  const { hits, direct, matched } = await find(parts, request, about, resolve, SEARCHED);
  // A new session has asked nothing yet, so the newest learnings join; one that asks gets its answer only.
  const candidates = request.query?.trim()
    ? hits
    : mixed(hits, newestHere(parts, here), resolve(INJECT_KNOBS.limit));
  const { since } = request.continues ?? NEW_SESSION;
  const rivals = rivalsOf(parts.db, candidates);
  const learnings = choose(
    // Facts have a tier of their own; switched off there, they must not come in here.
    prevailing(candidates, rivals).filter(
      ({ id, type, updatedAt }) => type !== FACT && !injected.has(id) && updatedAt > since,
    ),
    resolve(INJECT_KNOBS.limit),
    resolve(INJECT_KNOBS.maxTokens),
  );
  return { text: block(here, learnings, { direct, rivals }), learnings, matched };
}

async function oneIsEnough(
  parts: InjectParts,
  request: InjectRequest,
  about: string,
  resolve: Resolve,
): Promise<Learning | null> {
  const {
    hits: [best],
  } = await find(parts, request, about, resolve, 1);
  return best && isEnough(probeOf(best, parts.now()), resolveAll(grounding.knobs, resolve)) ? best : null;
}

const SEARCHED = 20;

async function find(
  parts: InjectParts,
  { cwd, project, session, knobs, deadline }: InjectRequest,
  query: string,
  resolve: Resolve,
  limit: number,
): Promise<{ hits: Learning[]; direct: DirectAnswer | null; matched: Matched }> {
  if (query === '') return { hits: [], direct: null, matched: {} };
  const own = {
    ...knobs,
    ...withKnob(outOfDomain.knobs.minOverlap, resolve(INJECT_KNOBS.minOverlap)),
  };
  const { hits, answer: direct } = await answer(
    parts,
    { query, ...(project === undefined ? { cwd } : { project }), session, limit, deadline, knobs: own },
    { quiet: true },
  );
  return { hits: hits.map(({ learning }) => learning), direct, matched: matchedIn(hits) };
}

const shardsHere = ({ db }: InjectParts, here: ProjectIdentity) =>
  shardsIn(db, { project: here.id, branch: branchScope(here.branch), allBranches: false, everywhere: false });
const newestHere = (parts: InjectParts, here: ProjectIdentity) =>
  newestIn(parts.db, shardsHere(parts, here), SEARCHED);
const factsHere = (parts: InjectParts, here: ProjectIdentity) =>
  learningsOfType(parts.db, { type: FACT, statuses: ['active'], shards: shardsHere(parts, here) });

function block(
  { name }: ProjectIdentity,
  learnings: Learning[],
  { direct, rivals }: { direct?: DirectAnswer | null; rivals: Rivals },
): string {
  return learningsBlock(`Learned earlier in ${name}`, learnings, {
    first: direct ? [`- ${direct.field}: ${fieldLine(direct.text)}`] : [],
    rivals,
  });
}
