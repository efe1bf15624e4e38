import { type Learning, Note } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Lesson } from '#contract/learn.ts';
import type { Inference } from '../inference/inference.ts';
import { answerMerge } from '../knowledge/merges.ts';
import { recur } from '../knowledge/recurrence.ts';
import { ingestNote, type Ingested, reconcile } from '../knowledge/revise.ts';
import { supersede } from '../knowledge/supersede.ts';
import type { Preview } from '../knowledge/twins.ts';
import { branchScope, type ProjectIdentity } from '../platform/project.ts';
import type { Resolve } from '../ports/knob.ts';
import { getLearning, rememberProject } from '../store/learnings/learnings.ts';
import { shareChunks } from '../store/learnings/lineage.ts';
import { asOneUnit, type Store } from '../store/learnings/write.ts';
import { commitReferences, verifyCommits } from './commit-references.ts';
import { chooseMode } from './modes/choose.ts';
import { categoryIn, type Mode, typeIn } from './modes/mode.ts';
import { proseOf } from './prose.ts';
import { judgeNote } from './stands-alone.ts';
import { problemsOf, validation } from './validation.ts';
import { nameEntities, nameTags } from './writers/mentions.ts';
import { relationsIn } from './writers/relations.ts';
import { calibrated, cosine } from '../inference/similarity.ts';
import { historyOf } from '../store/learnings/history.ts';
import { notesOfSession } from '../store/capture/sessions.ts';
import { containment } from '../text/similarity.ts';

/** The writer was there, so it is believed more than the echo that capture hears. */
const LEAST_CONFIDENCE = 0.6;
const TYPES = { correction: 'correction', decision: 'decision', cause: 'bug-fix', trap: 'gotcha' } as const;

export interface LearnParts {
  store: Store;
  inference: Inference;
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
  { store, inference, resolve, modes, preview }: LearnParts,
  lesson: Lesson,
  origin: LessonOrigin,
): Promise<Ingested> {
  const { project, session, agent } = origin;
  rememberProject(store.db, project, store.now());
  const { mode } = chooseMode(modes, resolve);
  const note = await checked(noteFrom(lesson, origin, mode), { project, resolve, mode });
  const previewed = await preview(note, resolve);
  const echo = await echoOf(store, inference, lesson.rule, session);
  return asOneUnit(store, () => {
    const source = session && `learn:${session}`;
    const evidence = { actor: agent, reason: 'recorded by the agent', source, branch: branchOf(project) };
    const said = { session, chunkHash: '', at: store.now() };
    const kept =
      recur(store, note, said, evidence, previewed) ?? ingestNote(store, note, evidence, previewed);
    if (kept.outcome === 'created') reconcile(store, kept.learning, previewed, agent);
    return replacingEcho(store, kept, echo, agent);
  });
}

const branchOf = ({ branch, trunk }: ProjectIdentity) => branchScope(branch, trunk);

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
  const { probability } = judgeNote(content, { signal: 'learn', score: 1, speculative: false });
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
    branch: branch ? branchOf(project) : null,
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

/** The note that capture made of the same moment gives way to the agent's, without a question to a person. */
function replacingEcho(store: Store, kept: Ingested, echo: Learning | null, actor: string): Ingested {
  if (!echo || echo.id === kept.learning.id) return kept;
  if (kept.outcome === 'held') {
    if (kept.twin?.id !== echo.id) return kept;
    const { changeId } = answerMerge(store, kept.twin.question, 'replace', {}, actor);
    return { learning: getLearning(store.db, kept.learning.id), changeId, outcome: 'created' };
  }
  shareChunks(store.db, echo.id, kept.learning.id);
  supersede(store, echo.id, kept.learning.id, {
    actor,
    kind: 'supersede',
    reason: 'the agent recorded it in its own words',
    ...(kept.changeId > 0 ? { unit: kept.changeId } : {}),
  });
  return kept;
}

/**
 * The share at which a note of the same session is about what an agent recorded. On 220 labelled moments of real
 * sessions, 65 % of the words they were noticed in are this similar to the rule a person made of them; of other moments
 * of the session, 5 % are.
 */
const SAME_MATTER = 0.6;
/** The same by words alone, where there is no model. */
const SAME_WORDS = 0.5;

/**
 * The note that capture made of the moment which an agent now records in its own words: the session's own note that
 * says most of the same. A note that a person has touched, or that an agent wrote, is nobody's echo.
 */
async function echoOf(
  { db }: Store,
  inference: Inference,
  rule: string,
  session: string,
): Promise<Learning | null> {
  const notes = notesOfSession(db, session)
    .map((id) => getLearning(db, id))
    .filter(isUntouched);
  if (notes.length === 0) return null;
  const titles = notes.map(({ title }) => title);
  const { likeness, bar } = await likenessTo(inference, rule, titles);
  const best = likeness.indexOf(Math.max(...likeness));
  return (likeness[best] ?? 0) >= bar ? (notes[best] ?? null) : null;

  function isUntouched({ id, metadata }: Learning): boolean {
    return metadata['writer'] !== 'agent' && historyOf(db, id).every(({ actor }) => actor !== 'person');
  }
}

async function likenessTo(inference: Inference, rule: string, titles: string[]) {
  const model = inference.available('embedder');
  const embed = (text: string) => inference.embedDocument('embedder', text);
  // A model that fails was reported when the note was compared with all others.
  const vectors = model && (await Promise.all([rule, ...titles].map(embed)).catch(() => null));
  const [ours, ...theirs] = vectors ?? [];
  if (!model || !ours) return { likeness: titles.map((title) => containment(rule, title)), bar: SAME_WORDS };
  return { likeness: theirs.map((other) => calibrated(model, cosine(ours, other))), bar: SAME_MATTER };
}
