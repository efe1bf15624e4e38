import { type Learning, Note } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Revision, RevisionAction } from '#contract/revision.ts';
import type { UserResolve } from '../ports/knob.ts';
import { isProvenBy } from '../store/learnings/history.ts';
import { asOneUnit, changeLearning, type Store } from '../store/learnings/write.ts';
import { isLive } from '../store/learnings/searchable.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { openQuestionAbout } from '../store/learnings/questions.ts';
import { markExamined } from '../store/learnings/unexamined.ts';
import { answerMerge } from './merges.ts';
import { learn, prove, reconcile, ingestNote } from './revise.ts';
import { succeedingRelations } from './supersede.ts';
import { type Preview, twins } from './twins.ts';

interface RevisionParts {
  store: Store;
  /** Computed before anything is written, because it may need a model. */
  preview: (note: Note) => Promise<Preview>;
  resolve: UserResolve;
}

type Create = Extract<RevisionAction, { action: 'CREATE' }>;
type Update = Extract<RevisionAction, { action: 'UPDATE' }>;
type Delete = Extract<RevisionAction, { action: 'DELETE' }>;

/** Carries out the actions one by one. A refused one is reported with its position; the others still apply. */
export async function revise(
  parts: RevisionParts,
  actions: RevisionAction[],
  actor: string,
): Promise<Revision> {
  const result: Revision = {
    executed: 0,
    created: 0,
    updated: 0,
    deleted: 0,
    skipped: 0,
    createdIds: [],
    needsAdjudication: 0,
    adjudications: [],
    errors: [],
  };
  for (const [index, action] of actions.entries()) {
    try {
      await carryOut(parts, action, actor, result);
    } catch (error) {
      if (!(error instanceof DaemonError)) throw error;
      result.errors.push({ index, message: error.message });
    }
  }
  return { ...result, executed: result.created + result.updated + result.deleted };
}

async function carryOut(
  parts: RevisionParts,
  action: RevisionAction,
  actor: string,
  result: Revision,
): Promise<void> {
  switch (action.action) {
    case 'CREATE':
      return create(parts, action, actor, result);
    case 'UPDATE': {
      count(result, 'updated', update(parts.store, action, actor));
      return;
    }
    case 'DELETE': {
      count(result, 'deleted', retract(parts.store, action, actor));
      return;
    }
  }
}

function count(result: Revision, what: 'created' | 'updated' | 'deleted', done: boolean): void {
  result[done ? what : 'skipped'] += 1;
}

async function create(
  { store, preview, resolve }: RevisionParts,
  action: Create,
  actor: string,
  result: Revision,
): Promise<void> {
  const note = noteFrom(action);
  if (action.dedupAdjudicated) {
    count(result, 'created', createBeside(store, note, action, actor, result));
    return;
  }
  const previewed = await preview(note);
  const taken = asOneUnit(store, () => {
    const up = ingestNote(store, note, { actor, reason: action.reason, source: action.source }, previewed);
    if (up.outcome === 'created') reconcile(store, up.learning, previewed, actor);
    return up;
  });
  if (taken.outcome === 'created') result.createdIds.push(taken.learning.id);
  if (taken.outcome !== 'held' || !taken.twin) {
    count(result, taken.outcome === 'created' ? 'created' : 'updated', taken.outcome !== 'known');
    return;
  }
  const { id, title, similarity, question } = taken.twin;
  result.needsAdjudication += 1;
  result.adjudications.push({
    newId: taken.learning.id,
    newText: note.title,
    existingId: id,
    existingTitle: title,
    similarity,
    threshold: resolve(twins.knobs.threshold),
    questionId: question,
    question: `“${note.title}” says nearly what “${title}” says: UPDATE ${id}, or CREATE again with dedupAdjudicated to keep both?`,
  });
}

/** Keeps both notes, as somebody decided: they are not compared again, and a note that was held becomes live. */
function createBeside(
  store: Store,
  note: Note,
  { reason, source }: Create,
  actor: string,
  result: Revision,
): boolean {
  const { learning, changeId } = learn(store, note, reason, actor, source);
  const question = learning.status === 'proposed' ? openQuestionAbout(store.db, learning.id) : undefined;
  if (question !== undefined) answerMerge(store, question, 'keep-both', {}, actor);
  markExamined(store.db, learning.id);
  if (changeId === 0 && question === undefined) return false;
  result.createdIds.push(learning.id);
  return true;
}

const LONGEST_TITLE = 200;

function noteFrom({ content = '', note, project, category, confidence, forgetAfter }: Create): Note {
  const [line = ''] = content.split('\n');
  const words = line.trim().slice(0, LONGEST_TITLE);
  const given = note ?? { title: words, body: content === words ? '' : content };
  return Note.parse({ ...given, ...defined({ project, category, confidence, forgetAfter }) });
}

function update(
  store: Store,
  { targetId, content, note, category, confidence, forgetAfter, reason, source }: Update,
  actor: string,
): boolean {
  const known = live(store, targetId);
  if (isProvenBy(store.db, targetId, source)) return false;
  const patch: Partial<Note> = { ...note, ...defined({ rule: content, category, confidence, forgetAfter }) };
  if (patch.relations) patch.relations = succeedingRelations(known.relations, patch.relations, store.now());
  if (Object.keys(patch).length === 0) prove(store, known, { actor, reason, source });
  else changeLearning(store, targetId, patch, { actor, kind: 'update', reason, source, proofs: 1 });
  return true;
}

function retract(store: Store, { targetId, reason, source }: Delete, actor: string): boolean {
  if (!isLive(getLearning(store.db, targetId))) return false;
  changeLearning(store, targetId, { status: 'reverted' }, { actor, kind: 'revert', reason, source });
  return true;
}

function live({ db }: Store, id: string): Learning {
  const learning = getLearning(db, id);
  if (isLive(learning)) return learning;
  throw new DaemonError(
    'conflict',
    learning.supersededBy
      ? `${id} was superseded by ${learning.supersededBy}`
      : `${id} is ${learning.status}`,
  );
}

const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
