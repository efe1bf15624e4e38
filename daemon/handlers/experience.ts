import type { Handlers } from '#contract/methods.ts';
import { learn } from '../knowledge/revise.ts';
import { cleanUp } from '../outcomes/experience/cleanup.ts';
import { EXPERIENCE } from '../recall/inject/experience-marks.ts';
import { toExperience } from '../outcomes/experience/experience.ts';
import { addFact, factsAt } from '../outcomes/experience/facts.ts';
import { addExperience, deprecate, giveFeedback, type Keep } from '../outcomes/experience/keep.ts';
import { mergeExperiences } from '../outcomes/experience/merge.ts';
import { queryExperiences } from '../outcomes/experience/query.ts';
import { resolveProject } from '../outcomes/resolve-project.ts';
import { OUTCOME_KNOBS } from '../outcomes/ports.ts';
import { learningsOfType } from '../store/learnings/find.ts';
import { appendHistory, searchHistory } from '../store/learnings/history-log.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { recallPartsOf } from './recall.ts';

const LISTED = ['active', 'superseded'];

export function experienceHandlers(parts: DaemonParts) {
  const { store, settings } = parts;
  const { db } = store;
  const keep: Keep = (note, reason) => learn(store, note, reason, 'person');
  return {
    'experience.add': (experience) => addExperience(store, keep, experience),
    'experience.query': (question) => queryExperiences(recallPartsOf(parts), question),
    'experience.list': ({ deprecated, ...filter }) => {
      const statuses = LISTED.filter(
        (status) => deprecated === undefined || (status === 'superseded') === deprecated,
      );
      return learningsOfType(db, { type: EXPERIENCE, statuses, ...filter }).map(toExperience);
    },
    'experience.feedback': ({ id, helped, reason }) =>
      giveFeedback(store, id, helped, reason, settings.resolver()(OUTCOME_KNOBS.alpha)),
    'experience.deprecate': ({ id, reason }) => deprecate(store, id, reason, 'person'),
    'experience.cleanup': ({ dryRun }) => ({ forgotten: cleanUp(store, { dryRun }) }),
    'experience.merge': async ({ dryRun }) => ({
      principles: await mergeExperiences(store, keep, {
        dryRun,
        ask: parts.writer.ask,
        when: 'now',
        halfLifeDays: settings.resolver()(OUTCOME_KNOBS.halfLifeDays),
      }),
    }),
    'facts.add': (fact) => addFact(store, keep, fact),
    'facts.list': (where) =>
      factsAt(db, where, settings.resolver({ projectRoot: resolveProject(where).root })),
    'history.append': ({ text, session, ...where }) =>
      appendHistory(store, { kind: 'event', project: resolveProject(where).project ?? '', session, text }),
    'history.search': (query) => searchHistory(db, query),
  } satisfies Partial<Handlers>;
}
