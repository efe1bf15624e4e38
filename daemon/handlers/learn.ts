import { DaemonError } from '#contract/errors.ts';
import type { Handlers } from '#contract/methods.ts';
import { keepLesson } from '../drain/learn.ts';
import { identifyProject } from '../platform/project.ts';
import { DAY } from '../platform/time.ts';
import { findRelevant } from '../recall/recall.ts';
import { agentOfSession, lastLiveSession, markLearned } from '../store/capture/sessions.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { recallPartsOf } from './recall.ts';

const ALIKE = { relevance: 0.5, most: 3 };
const UNKNOWN_AGENT = 'agent';

export function learnHandlers(parts: DaemonParts) {
  const { store, settings, inference, paths, preview, now } = parts;
  return {
    'learnings.learn': async (lesson) => {
      const project = identifyProject(lesson.cwd);
      if (!project) throw new DaemonError('bad-input', `${lesson.cwd} is not the folder of a project`);
      const session = lesson.session ?? lastLiveSession(store.db, project.id, now() - DAY)?.session ?? '';
      const agent = agentOfSession(store.db, session) ?? UNKNOWN_AGENT;
      const relevant = await findRelevant(recallPartsOf(parts), lesson.rule, project.id);
      const { learning, outcome } = await keepLesson(
        {
          store,
          inference,
          preview,
          modes: paths.modes,
          resolve: settings.resolver({ projectRoot: project.root }),
        },
        lesson,
        { project, session, agent },
      );
      markLearned(store.db, session, now());
      const alike = relevant
        .filter((known) => known.relevance >= ALIKE.relevance && known.learning.id !== learning.id)
        .map((known) => known.learning.title);
      return { outcome, learning, alike: alike.slice(0, ALIKE.most) };
    },
  } satisfies Partial<Handlers>;
}
