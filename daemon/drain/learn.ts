import { Note } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Lesson } from '#contract/learn.ts';
import { answerMerge } from '../knowledge/merges.ts';
import { ingestNote, type Ingested, reconcile } from '../knowledge/revise.ts';
import type { Preview } from '../knowledge/twins.ts';
import { branchScope, type ProjectIdentity } from '../platform/project.ts';
import type { Resolve } from '../ports/knob.ts';
import { historyOf } from '../store/learnings/history.ts';
import { getLearning, rememberProject } from '../store/learnings/learnings.ts';
import { asOneUnit, type Store } from '../store/learnings/write.ts';
import { commitReferences, verifyCommits } from './commit-references.ts';
import { chooseMode } from './modes/choose.ts';
import { categoryIn, type Mode, typeIn } from './modes/mode.ts';
import { proseOf } from './prose.ts';
import { judgeNote } from './stands-alone.ts';
import { problemsOf, validation } from './validation.ts';
import { nameEntities, nameTags } from './writers/mentions.ts';
import { relationsIn } from './writers/relations.ts';

/** The writer was there, so it is believed more than the echo that capture hears. */
const LEAST_CONFIDENCE = 0.6;
const TYPES = { correction: 'correction', decision: 'decision', cause: 'bug-fix', trap: 'gotcha' } as const;

export interface LearnParts {
  store: Store;
  resolve: Resolve;
  /** The folder of modes. */
  modes: string;
  preview: (note: Note, resolve: Resolve) => Promise<Preview>;
}

/** Where a lesson comes from. */
export interface LessonOrigin {
  project: ProjectIdentity;
  session: string;
  agent: string;
}

/** Keeps a lesson that an agent recorded: checked, compared with what is known, and a learning at once. */
export async function keepLesson(
  { store, resolve, modes, preview }: LearnParts,
  lesson: Lesson,
  origin: LessonOrigin,
): Promise<Ingested> {
  const { project, session, agent } = origin;
  rememberProject(store.db, project, store.now());
  const { mode } = chooseMode(modes, resolve);
  const note = await checked(noteFrom(lesson, origin, mode), { project, resolve, mode });
  const previewed = await preview(note, resolve);
  return asOneUnit(store, () => {
    const source = session && `learn:${session}`;
    const kept = ingestNote(
      store,
      note,
      { actor: agent, reason: 'recorded by the agent', source },
      previewed,
    );
    if (kept.outcome === 'created') reconcile(store, kept.learning, previewed, agent);
    return replacingEcho(store, kept, origin);
  });
}

function noteFrom(
  { rule, when, why, evidence, kind, branch }: Lesson,
  origin: LessonOrigin,
  mode: Mode,
): Note {
  const { project, session, agent } = origin;
  const said = [rule, when, why, evidence].join('\n');
  const category = categoryIn(mode, said);
  const tags = nameTags(said);
  const content = {
    title: rule,
    rule,
    problem: when,
    rootCause: why,
    body: evidence.replace(/^/gm, evidence ? '> ' : ''),
  };
  const { probability } = judgeNote(content, { signal: 'learn', score: 1, speculative: false, quote: rule });
  const entities = nameEntities(proseOf(content));
  return Note.parse({
    ...content,
    entities,
    relations: relationsIn(proseOf(content), entities),
    type: typeIn(mode, TYPES[kind]),
    category,
    tags: tags.length > 0 ? tags : [category],
    confidence: Math.max(LEAST_CONFIDENCE, Math.round(probability * 100) / 100),
    project: project.id,
    branch: branch ? branchScope(project.branch) : null,
    metadata: { writer: 'agent' },
    provenance: { agent, session, quote: evidence.slice(0, 1_000) },
  });
}

interface Checks {
  project: ProjectIdentity;
  resolve: Resolve;
  mode: Mode;
}

/** Refuses what a writer would have to write again (S10): the agent reads the problems and can call once more. */
async function checked(note: Note, { project, resolve, mode }: Checks): Promise<Note> {
  const { unverified, allUnverified } = resolve(commitReferences.switch)
    ? await verifyCommits(note, project.root)
    : { unverified: [], allUnverified: false };
  const problems = [
    ...(resolve(validation.switch) ? problemsOf(note, mode) : []),
    ...(note.title.endsWith('?') ? ['rule: state it, do not ask'] : []),
    ...(allUnverified ? [`these commits do not exist: ${unverified.join(', ')}`] : []),
  ];
  if (problems.length > 0) throw new DaemonError('bad-input', problems.join('; '));
  return { ...note, unverifiedRefs: unverified };
}

/**
 * A note that capture made of the same moment says the same in worse words: the agent's replaces it without asking a person,
 * unless a person has touched it.
 */
function replacingEcho(store: Store, kept: Ingested, { session, agent }: LessonOrigin): Ingested {
  if (kept.outcome !== 'held' || !kept.twin || session === '') return kept;
  const { id, question } = kept.twin;
  const isEcho = getLearning(store.db, id).provenance.session === session;
  const touched = historyOf(store.db, id).some(({ actor }) => actor === 'person');
  if (!isEcho || touched) return kept;
  const { changeId } = answerMerge(store, question, 'replace', {}, agent);
  return { learning: getLearning(store.db, kept.learning.id), changeId, outcome: 'created' };
}
