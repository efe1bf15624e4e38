import type { Output } from '#contract/methods.ts';
import type { Change, Learning, Note } from '#contract/entities.ts';
import { flag } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import { atOnce } from '../platform/turns.ts';
import type { ReadableDb } from '../store/db.ts';
import {
  changesOfEvent,
  changeToUndo,
  dateBefore,
  isProvenBy,
  markUndone,
} from '../store/learnings/history.ts';
import {
  addLearning,
  asOneUnit,
  changeLearning,
  proveLearning,
  type Reason,
  type Saved,
  type Store,
} from '../store/learnings/write.ts';
import { isLive } from '../store/learnings/searchable.ts';
import { findLearning, findLive, getLearning } from '../store/learnings/learnings.ts';
import { HELD_KEY, suspicionsOf } from '../store/learnings/held.ts';
import { DISMISSED, restoreMomentsOf } from '../store/capture/moments.ts';
import { unshareChunks } from '../store/learnings/lineage.ts';
import { askMerge, reopenQuestion } from '../store/learnings/questions.ts';
import { shardFor, shardsOf } from '../store/search/shards.ts';
import { releaseIfElsewhere } from './branch-release.ts';
import {
  askIfOpposite,
  contradictions,
  isRestatement,
  sameConcepts,
  settleByRule,
} from './contradictions.ts';
import { type Preview, twinOf } from './twins.ts';

export const beliefRevision = {
  id: 'knowledge.revise',
  seeds: ['S5'],
  doc: 'Counts a repeated lesson as evidence for the learning that says it, and lets agents update or retract learnings.',
  switch: flag(
    'REFLECT_BELIEF_REVISION',
    true,
    'Recognise a lesson in slightly different words; off adds it as a new learning',
  ),
  knobs: {},
} satisfies PortCard;

/** Adds a new note to the knowledge base. A note that is already known gets one more proof. */
export function learn(store: Store, note: Note, reason: string, actor: string, source = ''): Saved {
  const saved = addLearning(store, note, { actor, kind: 'create', reason, source });
  return saved.changeId === 0 ? prove(store, saved.learning, { actor, reason, source }) : saved;
}

/** `saidAt` is set for words of an older session, which must not look new; `branch` is where they were said. */
export type Evidence = Pick<Reason, 'actor' | 'reason'> & {
  source: string;
  saidAt?: number;
  branch?: string | null;
};

/** Adds a proof, unless the same source has already proven it. */
export function prove(store: Store, learning: Learning, { actor, reason, source }: Evidence): Saved {
  if (isProvenBy(store.db, learning.id, source)) return { learning, changeId: 0 };
  return proveLearning(store, learning.id, { actor, kind: 'prove', reason, source });
}

export interface Ingested extends Saved {
  /** `known`: this source said it before; `updated`: it got a proof; `held`: a person is asked if it equals another. */
  outcome: 'created' | 'updated' | 'held' | 'known';
  twin?: { id: string; title: string; similarity: number; question: number };
}

/** Ingests a moment's note: as proof of a known one, as a question if nearly the same, or as a new note. */
export function ingestNote(store: Store, note: Note, evidence: Evidence, preview: Preview): Ingested {
  // A hostile note must not add its words to a learning that a person trusts.
  const said =
    preview.resolve(beliefRevision.switch) && suspicionsOf(note).length === 0
      ? saidBefore(store, note)
      : null;
  if (said) {
    const ingested = evidenceFor(store, said, note, evidence);
    return { ...ingested, learning: releaseIfElsewhere(store, ingested.learning, evidence.branch) };
  }
  const elsewhere = twinOf(store, note.title, { ...preview, neighbours: preview.elsewhere ?? [] });
  if (elsewhere) releaseIfElsewhere(store, getLearning(store.db, elsewhere.id), evidence.branch);
  const { actor, reason, source, saidAt } = evidence;
  const twin = note.status === 'candidate' ? null : twinOf(store, note.title, preview);
  const saved = addLearning(
    store,
    { ...note, ...(twin ? { status: 'proposed' } : {}) },
    { actor, kind: 'create', reason, source },
    saidAt === undefined ? {} : { createdAt: saidAt, updatedAt: saidAt },
  );
  if (saved.changeId === 0) return proven(prove(store, saved.learning, evidence));
  if (!twin) return { ...saved, outcome: HELD_KEY in saved.learning.metadata ? 'held' : 'created' };
  const { id, title, similarity } = twin;
  const question = askMerge(store, {
    similarity,
    existingId: id,
    incomingId: saved.learning.id,
  });
  return { ...saved, outcome: 'held', twin: { id, title, similarity, question } };
}

const proven = (saved: Saved): Ingested => ({
  ...saved,
  outcome: saved.changeId === 0 ? 'known' : 'updated',
});

/** The live note with the same title and rule, apart from stop words: of the same place, else of any branch. */
function saidBefore({ db }: Store, note: Note): Learning | null {
  const places = new Set([
    shardFor(db, { ...note, status: 'active' }),
    ...(note.scope === 'global' ? [] : shardsOf(db, note.project)),
  ]);
  return findRestated(db, note, [...places], isLive);
}

/** The note in these shards that has the same title and rule, apart from stop words. */
export function findRestated(
  db: ReadableDb,
  note: Note,
  shards: readonly number[],
  isMeant: (known: Learning) => boolean,
): Learning | null {
  const sameRule = ({ rule }: Note) => rule === '' || note.rule === '' || isRestatement(rule, note.rule);
  return (
    shards
      .flatMap((shard) => sameConcepts(db, note.title, shard))
      .find((known) => isMeant(known) && isRestatement(known.title, note.title) && sameRule(known)) ?? null
  );
}

/** Adds a proof to the known note, and fills its empty fields. */
function evidenceFor(
  store: Store,
  known: Learning,
  note: Note,
  { actor, reason, source }: Evidence,
): Ingested {
  const added = sharper(known, note);
  if (Object.keys(added).length === 0 || isProvenBy(store.db, known.id, source))
    return proven(prove(store, known, { actor, reason, source }));
  return proven(changeLearning(store, known.id, added, { actor, kind: 'update', reason, source, proofs: 1 }));
}

/** The fields a note adds to the known one; filled fields stay as they are. */
function sharper(known: Note, note: Note): Partial<Note> {
  const fields = ['problem', 'rootCause', 'fix', 'rule', 'keyInsight', 'body'] as const;
  const tags = [...new Set([...known.tags, ...note.tags])];
  return {
    ...Object.fromEntries(
      fields
        .filter((field) => known[field] === '' && note[field] !== '')
        .map((field) => [field, note[field]]),
    ),
    ...(tags.length > known.tags.length ? { tags } : {}),
    ...(note.confidence > known.confidence ? { confidence: note.confidence } : {}),
  };
}

/** Compares a new note with contradicting ones: by the rule the older is superseded, by meaning a person is asked. */
export function reconcile(
  store: Store,
  learning: Learning,
  { neighbours, resolve }: Preview,
  actor: string,
): void {
  if (!isLive(learning)) return; // what is held back replaces nothing
  if (!resolve(contradictions.switch) || settleByRule(store, learning, actor) > 0) return;
  askIfOpposite(
    store,
    learning,
    neighbours.filter(({ id }) => findLive(store.db, id) !== null),
    resolve,
  );
}

type Undone = Output<'changes.undo'>;

/** Undoes all changes of an event by restoring the fields they changed; a creation is undone by archiving. */
export const undo = (store: Store, changeId: number | undefined, actor: string): Undone =>
  atOnce(undoing(store, changeId, actor));

const AT_ONCE = 10; // changes of one transaction; most events have fewer

/**
 * The same step by step, for an event as large as an import. The last change is undone first, so that an event whose
 * undo was interrupted can be undone again by its first change.
 */
export function* undoing(store: Store, changeId: number | undefined, actor: string): Generator<void, Undone> {
  const change = changeToUndo(store.db, changeId);
  if (!findLearning(store.db, change.learningId))
    return { change, learning: null, changes: 0, undoneBy: null };
  let unit: number | undefined;
  let changes = 0;
  for (let isLast = false; !isLast;) {
    const parts = changesOfEvent(store.db, change, AT_ONCE);
    isLast = parts.length < AT_ONCE;
    changes += parts.length;
    asOneUnit(store, () => {
      for (const part of parts) {
        const undone = undoOne(store, part, {
          actor,
          kind: 'undo',
          reason: `undoes ${part.kind}`,
          unit,
        });
        unit ??= undone.changeId;
        markUndone(store.db, part.id, undone.changeId);
      }
      if (isLast) reopenQuestion(store.db, change.unit ?? change.id);
      if (change.reason === DISMISSED) restoreMomentsOf(store.db, change.learningId);
    });
    yield;
  }
  return {
    change: { ...change, undone: true },
    learning: findLearning(store.db, change.learningId),
    changes,
    undoneBy: unit ?? null,
  };
}

function undoOne(store: Store, change: Change, why: Reason): Saved {
  const { kind, learningId, fields, before, after, proofsAdded } = change;
  if (kind === 'supersede' && after?.supersededBy && !before?.supersededBy)
    unshareChunks(store.db, learningId, after.supersededBy);
  const proofs = -proofsAdded;
  if (before && fields.length === 0) return proveLearning(store, learningId, { ...why, proofs });
  const at = dateBefore(store.db, change);
  const restores = before && at !== undefined ? { note: before, at } : undefined;
  return changeLearning(store, learningId, asBefore(change), { ...why, proofs, restores });
}

/** Only the fields that change touched; later edits of other fields stay. */
function asBefore({ before, fields }: Change): Partial<Note> {
  if (!before) return { status: 'archived' };
  return Object.fromEntries(Object.entries(before).filter(([field]) => fields.includes(field)));
}
