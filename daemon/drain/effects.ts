import type { Effect } from '../capture/port.ts';
import type { Batch } from '../capture/protocol.ts';
import { findCommit, linkCommit } from '../store/capture/commits.ts';
import { promote } from '../knowledge/candidates.ts';
import { undo } from '../knowledge/revise.ts';
import {
  candidatesOf,
  dismissMoment,
  effectDone,
  hasUndrained,
  liveLearningsOf,
  noteEffect,
  repeatReverts,
  type StoredEffect,
  waitingEffects,
  momentByKey,
} from '../store/capture/effects.ts';
import { EFFECT } from '../store/columns.ts';
import { asOneUnit, changeLearning, type Store } from '../store/learnings/write.ts';
import { changesFor } from '../store/learnings/history.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { setSignals } from '../store/learnings/signals.ts';
import { saidByPerson } from './writers/evidence.ts';
import { forgetOccurrence } from '../store/capture/recurrence.ts';

/** Confidence goes up by whole tiers: low, medium, high. */
const TIERS = [0.3, 0.6, 0.85];

const NEEDS_PROJECT: ReadonlySet<Effect['sees']> = new Set(['experience', 'forget', 'routine']);

/** Stores the effects of a batch and the moments it retracts. Call inside the batch's own transaction. */
export function noteEffects(store: Store, { effects, voided }: Pick<Batch, 'effects' | 'voided'>): void {
  const { db } = store;
  for (const { session, at, project, ...effect } of effects) {
    if (effect.sees === 'commit') {
      const isClaimed = linkCommit(db, { ...effect, session, at, project: project?.id ?? '' });
      if (isClaimed) moveReverts(store, effect.sha);
    } else
      noteEffect(db, {
        kind: effect.sees,
        session,
        at,
        detail: JSON.stringify(
          NEEDS_PROJECT.has(effect.sees) ? { ...effect, project: project?.id ?? '' } : effect,
        ),
      });
  }
  for (const key of voided) {
    forgetOccurrence(db, key);
    if (momentByKey(db, key)) noteEffect(db, { kind: 'void', session: '', at: 0, detail: key });
  }
}

/** A revert that came before the claim followed a guess: it is undone there, and carried out where it belongs. */
function moveReverts(store: Store, named: string): void {
  const { sha = named } = findCommit(store.db, named) ?? {}; // as a whole, whoever shortened it
  for (const { id } of changesFor(store.db, 'revert', becauseReverted(sha))) undo(store, id, 'git');
  repeatReverts(store.db, sha);
}

const becauseReverted = (sha: string) => `the commit ${sha.slice(0, 12)} it led to was reverted`;

/** Applies the effects that no longer wait for an earlier moment. */
export function carryOutEffects(store: Store): void {
  for (const effect of waitingEffects(store.db)) {
    asOneUnit(store, () => {
      if (carryOut(store, effect)) effectDone(store.db, effect.id);
    });
  }
}

/** False while it has to wait. */
function carryOut(store: Store, { kind, session, at, detail }: StoredEffect): boolean {
  if (kind === 'void') return undoMoment(store, detail);
  switch (kind) {
    case 'revert':
      return revert(store, EFFECT.revert.read(detail).sha, at);
    case 'tests-fixed':
      return confirm(store, session, at, EFFECT['tests-fixed'].read(detail).runner);
    case 'forget':
      return false; // the retractor does, which can tell which learnings are meant
    default:
      return true; // trouble, routines and experiences are only stored
  }
}

function undoMoment(store: Store, key: string): boolean {
  const moment = momentByKey(store.db, key);
  if (moment?.state === 'leased') return false;
  if (!moment || moment.state === 'dismissed') return true;
  if (moment.learningId && moment.state !== 'duplicate') {
    changeLearning(
      store,
      moment.learningId,
      { status: 'archived' },
      { actor: 'capture', kind: 'archive', reason: 'retracted by the person who said it' },
    );
  }
  dismissMoment(store.db, moment.id, 'retracted');
  return true;
}

/**
 * Older sessions are read later, so the commit may not be known yet. What was learned after it may well be why it was
 * reverted, and stays.
 */
function revert(store: Store, sha: string, at: number): boolean {
  const commit = findCommit(store.db, sha);
  if (!commit?.session || hasUndrained(store.db, commit.session, at)) return false;
  for (const id of liveLearningsOf(store.db, commit.session, commit.at)) {
    changeLearning(
      store,
      id,
      { status: 'reverted' },
      {
        actor: 'git',
        kind: 'revert',
        reason: becauseReverted(commit.sha),
      },
    );
  }
  return true;
}

/** A finding that the judge believed half as much as a learning needs is believed when the tests confirm it. */
const CONFIRMED_BAR = 0.3;

/** Tests that failed and pass now have proven what the session learned on the way, each learning once. */
function confirm(store: Store, session: string, at: number, runner: string): boolean {
  if (hasUndrained(store.db, session, at)) return false;
  const reason = `${runner} failed before and passes now`;
  for (const { id, signal } of candidatesOf(store.db, session, at, CONFIRMED_BAR))
    // A person’s words are no finding: that the tests pass says nothing about them.
    if (!saidByPerson({ signal })) promote(store, id, { actor: 'tests', reason, source: '' });
  for (const id of liveLearningsOf(store.db, session, at)) {
    const { confidence, signals } = getLearning(store.db, id);
    if (signals.maturity !== 'draft') continue;
    const tier = TIERS.find((step) => step > confidence) ?? confidence;
    changeLearning(
      store,
      id,
      { confidence: tier, speculative: false },
      { actor: 'tests', kind: 'update', reason },
    );
    setSignals(store.db, id, { maturity: 'validated' });
  }
  return true;
}
