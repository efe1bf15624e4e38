import { isAbsolute, resolve } from 'node:path';
import { DaemonError } from '#contract/errors.ts';
import type { Handlers } from '#contract/methods.ts';
import type { Deleted } from '#contract/privacy-methods.ts';
import { WATCH_KNOBS } from '../capture/knobs.ts';
import { agentRule, IgnoreRules, projectRule, rulesIn } from '../platform/ignore.ts';
import { identifyProject } from '../platform/project.ts';
import { renewSnapshots } from '../recall/modes/corpora.ts';
import { eraseCopies, eraseDocuments, eraseLines } from '../store/erase/files.ts';
import { forgetReferences } from '../store/erase/references.ts';
import { type ErasedParts, findErased, type Erasure, eraseRows } from '../store/erase/rows.ts';
import { getLearning, listProjects } from '../store/learnings/learnings.ts';
import { AGENTS } from '../transcripts/agents.ts';
import type { DaemonParts } from './daemon-parts.ts';

const STAYS_UNREAD = 'What was said there while it was ignored stays unread.';
const NOTHING: Erasure = { learnings: [], sessions: [], projects: [] };

export function privacyHandlers(parts: DaemonParts) {
  const { store, settings } = parts;
  const rules = () => rulesIn(settings.resolver()(WATCH_KNOBS.ignore));
  const write = (next: readonly string[]) => {
    settings.set(WATCH_KNOBS.ignore.name, next.length > 0 ? next.join(', ') : null);
    const { source } = settings.state(WATCH_KNOBS.ignore);
    return source === 'environment'
      ? ['The environment of the daemon sets REFLECT_IGNORE, which wins over this.']
      : [];
  };
  return {
    'learnings.delete': ({ ids }) => {
      for (const id of ids) getLearning(store.db, id); // an unknown id deletes nothing at all
      return erase(parts, { ...NOTHING, learnings: ids });
    },
    'sessions.delete': ({ session }) => erase(parts, { ...NOTHING, sessions: [session] }),
    'projects.delete': ({ project }) => erase(parts, { ...NOTHING, projects: [project] }),
    'capture.ignored': () => ({ rules: rules(), rule: null, deleted: null, notices: [] }),
    'capture.ignore': ({ delete: deletes, ...what }) => {
      const rule = ruleFor(what);
      const before = rules();
      const notices = before.includes(rule) ? [] : write([...before, rule]);
      const deleted = deletes ? erase(parts, capturedBy(parts, rule)) : null;
      return { rules: rules(), rule, deleted, notices };
    },
    'capture.unignore': ({ rule: named, cwd }) => {
      const before = rules();
      const here = cwd === undefined ? [] : [ruleFor({ folder: resolve(cwd, named) })];
      const rule = [named, projectRule(named), agentRule(named), ...here].find((each) =>
        before.includes(each),
      );
      if (rule === undefined)
        throw new DaemonError('not-found', `“${named}” is not ignored; \`reflect ignore\` lists what is`);
      const notices = write(before.filter((each) => each !== rule));
      return { rules: rules(), rule, deleted: null, notices: [STAYS_UNREAD, ...notices] };
    },
  } satisfies Partial<Handlers>;
}

/** Records that agents leave of their work in a folder. */
const RECORDING = [
  'learnings.learn',
  'memories.create',
  'traces.create',
  'experience.add',
  'facts.add',
  'history.append',
  'loops.start',
] as const satisfies ReadonlyArray<keyof Handlers>;

type Recording = (input: { cwd?: string | undefined }, ...more: unknown[]) => unknown;

/** The handlers, which record nothing of a folder that a person keeps Reflect out of. */
export function refusingIgnored(parts: DaemonParts, handlers: Handlers): Handlers {
  const guard =
    (record: Recording): Recording =>
    (input, ...more) => {
      if (input.cwd !== undefined && isIgnored(parts, input.cwd))
        throw new DaemonError('forbidden', 'This project is ignored; nothing was recorded.');
      return record(input, ...more);
    };
  const guarded = RECORDING.map((method) => [method, guard(handlers[method] as Recording)] as const);
  return { ...handlers, ...Object.fromEntries(guarded) };
}

/** True where a person keeps Reflect out. */
export const isIgnored = ({ settings }: Pick<DaemonParts, 'settings'>, cwd: string): boolean =>
  new IgnoreRules(settings.resolver()(WATCH_KNOBS.ignore)).hasFolder(cwd);

interface IgnoreInput {
  folder?: string | undefined;
  project?: string | undefined;
  agent?: string | undefined;
}

function ruleFor({ folder, project, agent }: IgnoreInput): string {
  if ([folder, project, agent].filter((given) => given !== undefined).length !== 1)
    throw new DaemonError('bad-input', 'Name a folder, a project or an agent.');
  if (agent !== undefined) {
    if (!AGENTS.some((known) => known.agent === agent))
      throw new DaemonError(
        'bad-input',
        `“${agent}” is not an agent that Reflect reads; it reads ${[...new Set(AGENTS.map((known) => known.agent))].join(', ')}.`,
      );
    return agentRule(agent);
  }
  if (project !== undefined) return projectRule(project);
  const place = folder ?? '';
  if (/[,\n]/.test(place)) throw new DaemonError('bad-input', 'A rule cannot contain a comma.');
  if (/[*?]|^~/.test(place) || !isAbsolute(place)) return place;
  const here = identifyProject(place);
  return here && here.root === place && here.id !== place ? projectRule(here.id) : place;
}

/** Everything that was captured from what a rule names. */
function capturedBy({ store: { db } }: DaemonParts, rule: string): Erasure {
  const only = new IgnoreRules(rule);
  const projects = listProjects(db)
    .filter(({ id, root }) => rule === projectRule(id) || (root !== '' && only.hasFolder(root)))
    .map(({ id }) => id);
  const sessions = db
    .rows<{ agent: string; session: string }>('SELECT DISTINCT agent, session FROM capture_window')
    .filter(({ agent }) => only.agents.has(agent))
    .map(({ session }) => session);
  return { ...NOTHING, projects, sessions };
}

/** Deletes for good; a crash in between leaves no row behind, and the same call does the rest. */
function erase(parts: DaemonParts, erasure: Erasure): Deleted {
  const { store, paths, distiller, now } = parts;
  const erased = findErased(store.db, erasure);
  forgetReferences(store, erased);
  eraseRows(store.db, erased, now());
  const files = eraseDocuments(store.documents, erased);
  renewSnapshots({ db: store.db, folder: paths.corpora, now });
  distiller.imported(); // documents of conventions are written again without them
  eraseLines(paths, erased);
  eraseCopies(store.db, paths, now());
  return {
    learnings: erased.learnings.length,
    moments: erased.moments.length,
    files,
    notices: noticesOf(erased),
  };
}

function noticesOf({ learnings, moments }: ErasedParts): string[] {
  if (learnings.length + moments.length === 0) return ['Nothing of it was stored.'];
  return [
    'Earlier backups were deleted and replaced by a new one.',
    'The agents’ own transcripts, and skills or archives you made of it, are files of yours and stay.',
  ];
}
