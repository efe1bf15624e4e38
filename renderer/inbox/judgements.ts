import type { Call } from '#contract/methods.ts';
import type { PublishOffer } from '#contract/team.ts';
import { doReversibly, type Reversal, reverseChange } from '../frame/undo.svelte.ts';
import { type Decision, KEPT, REJECTED } from './decisions.ts';
import { inboxWords } from './words.ts';

export type NoteAction = 'keep' | 'drop';

/** A person's yes or no to a decision: what to say when it is done, and how it is done. */
interface Judgement {
  says: string;
  carryOut: () => Promise<Reversal>;
  /** It cannot be undone. */
  isFinal?: boolean;
}

/** For decisions that are a yes or a no: a note, a whole import, a slot that an agent wants to edit, a publication. */
export function judgementOf(call: Call, decision: Decision, action: NoteAction): Judgement | null {
  const keeps = action === 'keep';
  const answer = keeps ? 'accept' : 'reject';
  switch (decision.kind) {
    case 'note':
      return judgeNote(call, decision, keeps);
    case 'batch': {
      const { from, added } = decision.batch;
      return {
        says: inboxWords.batch.decided[answer](added),
        carryOut: () => reversible(call, call('archive.decide', { from, decision: answer })),
      };
    }
    case 'slot': {
      const { id, name } = decision.proposal;
      return {
        says: inboxWords.slotDecided[answer](name),
        carryOut: () =>
          doReversibly(
            () => call('slots.decide', { id, decision: answer }),
            () => call('slots.decide', { id, decision: 'reopen' }),
          ),
      };
    }
    case 'publish':
      return judgeOffer(call, decision.offer, keeps);
    default:
      return null;
  }
}

function judgeNote(
  call: Call,
  { why, row: { id, title } }: Extract<Decision, { kind: 'note' }>,
  keeps: boolean,
): Judgement | null {
  if (keeps && why === 'broken') return null;
  const patch =
    keeps && why !== 'broken' ? KEPT[why] : REJECTED.has(why) ? { status: 'rejected' as const } : null;
  if (!patch)
    return {
      says: inboxWords.archivedNote(title),
      carryOut: () => reversible(call, call('learnings.archive', { id })),
    };
  return {
    says: keeps ? inboxWords.keptNote(title) : inboxWords.rejectedNote(title),
    carryOut: () => reversible(call, call('learnings.update', { id, patch })),
  };
}

/** Publishes a note or keeps it here. Undoing a publication retracts the whole note everywhere: a change is final. */
function judgeOffer(call: Call, { space, id, title, changed }: PublishOffer, publishes: boolean): Judgement {
  const { published, declined } = inboxWords.offer;
  if (!publishes)
    return {
      says: declined(title),
      carryOut: () =>
        doReversibly(
          () => call('team.decline', { space, id }),
          () => call('team.decline', { space, id, declined: false }),
        ),
    };
  return {
    says: published(title, space),
    carryOut: () =>
      doReversibly(
        () => call('team.publish', { space, ids: [id] }),
        () => call('team.retract', { space, id }),
      ),
    isFinal: changed,
  };
}

/** The way back from a change; a change that changed nothing has none. */
export async function reversible(
  call: Call,
  changed: Promise<{ changeId: number | null }>,
): Promise<Reversal> {
  const { changeId } = await changed;
  return changeId === null ? async () => undefined : reverseChange(call, changeId);
}
