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

/** Adds a note to the knowledge base. */
export type Keep = (note: Note, reason: string) => Saved;

/** Adds what a task taught. The same lesson of the same task confirms the existing experience instead. */
export function addExperience(
  store: Store,
  keep: Keep,
  said: NewExperience,
  resolved?: ResolvedProject,
  more?: Partial<Pick<Note, 'title' | 'confidence'>>,
): { experience: Experience; created: boolean } {
  return asOneUnit(store, () => {
    const note = experienceNote(said, resolved, more);
    const { learning, changeId } = keep(note, `a task that ended as ${said.outcome}`);
    const created = changeId !== 0 && learning.signals.proofCount === 1; // otherwise it was known and gained a proof
    if (created) {
      setSignals(store.db, learning.id, { quality: said.quality });
      const text = `${beginning(said.task, 200)} — ${said.outcome}: ${beginning(said.lessons, 300)}`;
      appendHistory(store, { kind: 'experience', project: note.project, session: said.session, text });
    }
    return { experience: toExperience(getLearning(store.db, learning.id)), created };
  });
}

/** Records whether an experience helped, and updates its counters, quality and utility. */
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
    const text = `${helped ? 'Helped' : 'Did not help'}: ${beginning(experience.task, 200)}`;
    appendHistory(store, { kind: 'review', project, text });
    return experience;
  })();
}

/** Stops injecting an experience that is no longer true; cleanup forgets it later. */
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
