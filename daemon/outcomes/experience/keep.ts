import type { Note } from '#contract/entities.ts';
import type { Experience, NewExperience } from '#contract/outcomes.ts';
import { appendHistory } from '../../store/learnings/history-log.ts';
import { asOneUnit, changeLearning, type Saved, type Store } from '../../store/learnings/write.ts';
import { getLearning } from '../../store/learnings/learnings.ts';
import { setSignals } from '../../store/learnings/signals.ts';
import { judge } from '../memories/utility.ts';
import type { ResolvedProject } from '../resolve-project.ts';
import { beginning } from '../../text/one-line.ts';
import { experienceNote, toExperience } from './experience.ts';

/** Takes a note into the knowledge base. */
export type Keep = (note: Note, reason: string) => Saved;

/** Keeps what a task taught. The same lesson of the same task is the experience that is there. */
export function addExperience(
  store: Store,
  keep: Keep,
  said: NewExperience,
  resolved?: ResolvedProject,
): { experience: Experience; created: boolean } {
  return asOneUnit(store, () => {
    const note = experienceNote(said, resolved);
    const { learning, changeId } = keep(note, `a task that ended as ${said.outcome}`);
    const created = changeId !== 0 && learning.signals.proofCount === 1; // else it was known, and is better proven
    if (created) {
      setSignals(store.db, learning.id, { quality: said.quality });
      const text = `${beginning(said.task, 200)} — ${said.outcome}: ${beginning(said.lessons, 300)}`;
      appendHistory(store.db, {
        at: store.now(),
        kind: 'experience',
        project: note.project,
        session: said.session,
        text,
      });
    }
    return { experience: toExperience(getLearning(store.db, learning.id)), created };
  });
}

/** Says whether it helped: its counters, its quality and its utility follow. */
export function giveFeedback(
  store: Store,
  id: string,
  helped: boolean,
  reason: string,
  alpha: number,
): Experience {
  const { project } = toExperience(getLearning(store.db, id));
  return store.db.transaction(() => {
    const why = reason || (helped ? 'it helped' : 'it did not help');
    judge(store, [id], {
      result: helped ? 'pass' : 'fail',
      alpha,
      source: 'feedback',
      reason: why,
      session: '',
      traceId: null,
    });
    const experience = toExperience(getLearning(store.db, id));
    appendHistory(store.db, {
      at: store.now(),
      kind: 'review',
      project,
      session: '',
      text: `${helped ? 'Helped' : 'Did not help'}: ${beginning(experience.task, 200)}`,
    });
    return experience;
  })();
}

/** What is no longer true is not told any more; it is forgotten for good only later. */
export function deprecate(store: Store, id: string, reason: string, actor: string): Experience {
  toExperience(getLearning(store.db, id));
  return toExperience(
    changeLearning(
      store,
      id,
      { status: 'superseded' },
      { actor, kind: 'supersede', reason: reason || 'no longer true' },
    ).learning,
  );
}
