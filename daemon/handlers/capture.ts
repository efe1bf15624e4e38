import { DaemonError } from '#contract/errors.ts';
import type { Moment } from '#contract/capture.ts';
import type { Asked, Handlers, Output } from '#contract/methods.ts';
import { git, revertsIn } from '../capture/signal/git.ts';
import { toolLoop } from '../capture/signal/tool-loop.ts';
import { agree } from '../drain/consent.ts';
import { carryOutEffects, noteEffects } from '../drain/effects.ts';
import { dropCandidates } from '../knowledge/candidates.ts';
import { undo } from '../knowledge/revise.ts';
import { identifyProject } from '../platform/project.ts';
import { sessionAtWork } from '../store/capture/commits.ts';
import { EFFECT } from '../store/columns.ts';
import { effectsSince, troublesOf } from '../store/capture/effects.ts';
import { historyOf } from '../store/learnings/history.ts';
import { asOneUnit, changeLearning, type Store } from '../store/learnings/write.ts';
import { chunksOfLearning, chunksOfTranscript } from '../store/learnings/lineage.ts';
import { PAUSED, setMeta } from '../store/meta.ts';
import { DISMISSED, findMoment, listMoments, settleMoment } from '../store/capture/moments.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { isIgnored } from './privacy.ts';
import { HOUR } from '../platform/time.ts';

export function captureHandlers({ store, capture, drain, readTranscripts, settings, now }: DaemonParts) {
  const setPaused = (paused: boolean) => {
    setMeta(store.db, PAUSED, paused ? 'yes' : 'no');
    capture.setPaused(paused);
    return { ok: true } as const;
  };
  return {
    'capture.moments': ({ session, limit }) => listMoments(store.db, session, limit),
    'capture.lineage': (of) =>
      'learning' in of
        ? chunksOfLearning(store.db, of.learning)
        : chunksOfTranscript(store.db, of.transcript),
    'capture.agree': () => {
      agree(store);
      readTranscripts();
      return { ok: true };
    },
    'capture.pause': () => setPaused(true),
    'capture.resume': () => setPaused(false),
    'capture.drain': ({ noLlm }) => drain.runAll(noLlm),
    'capture.dismiss': ({ id, dismissed }) => {
      const moment = findMoment(store.db, id);
      if (!moment) throw new DaemonError('not-found', `moment ${id}`);
      if (dismissed) dismiss(store, moment);
      else if (moment.state === 'dismissed') undismiss(store, moment);
      return { ok: true };
    },
    'capture.commit': (commit) => recordCommit({ store, settings, now }, commit),
    'capture.troubles': ({ session: of }) => {
      const since = now() - settings.resolver()(toolLoop.knobs.troubleHours) * HOUR;
      const troubles = of ? troublesOf(store.db, of) : effectsSince(store.db, 'trouble', since, 100);
      return troubles.map(({ session, at, detail: text }) => {
        const { kind, detail } = EFFECT.trouble.read(text);
        return { session, at, kind, detail };
      });
    },
  } satisfies Partial<Handlers>;
}

function dismiss(store: Store, { id, state, learningId }: Moment): void {
  const why = { actor: 'person', reason: DISMISSED };
  if (state === 'candidate' && learningId) dropCandidates(store, [learningId], why);
  else if (learningId) changeLearning(store, learningId, { status: 'archived' }, { ...why, kind: 'archive' });
  settleMoment(store.db, id, 'dismissed', learningId);
}

/** Undoing the change of its learning restores a moment, too; without a learning it is drained once more. */
function undismiss(store: Store, { id, learningId }: Moment): void {
  const change = learningId
    ? historyOf(store.db, learningId).find(({ reason, undone }) => reason === DISMISSED && !undone)
    : undefined;
  if (!change) settleMoment(store.db, id, learningId ? 'kept' : 'queued', learningId);
  else undo(store, change.id, 'person');
}

/** Links a commit to the session that made it. Whatever it reverts is retracted. */
function recordCommit(
  { store, settings, now }: Pick<DaemonParts, 'store' | 'settings' | 'now'>,
  { cwd, session, at = now(), branch = '', conflictResolved, sha, message }: Asked<'capture.commit'>,
): Output<'capture.commit'> {
  const project = identifyProject(cwd);
  if (!settings.resolver()(git.switch) || isIgnored({ settings }, cwd)) return { session: '', reverts: [] };
  const made = { session: session ?? sessionAtWork(store.db, project?.id ?? '', at - HOUR), at, project };
  const reverts = revertsIn(message);
  asOneUnit(store, () => {
    const commit = {
      sees: 'commit',
      sha: sha.toLowerCase(),
      branch: branch || (project?.branch ?? ''),
      message,
      conflictResolved,
      sessionGuessed: session === undefined,
      ...made,
    } as const;
    noteEffects(store, {
      effects: [commit, ...reverts.map((sha) => ({ sees: 'revert', sha, ...made }) as const)],
      voided: [],
    });
    carryOutEffects(store);
  });
  return { session: made.session, reverts };
}
