import type { Handlers } from '#contract/methods.ts';
import { RECALL_WORKFLOW } from '#contract/modes.ts';
import { hydrate, index, timeline } from '../recall/modes/staged.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { readQuestion, recallPartsOf } from './recall.ts';

type Methods = 'recall.index' | 'recall.timeline' | 'recall.hydrate' | 'recall.workflow';

export function stagedHandlers(parts: DaemonParts): Pick<Handlers, Methods> {
  const recallParts = recallPartsOf(parts);
  return {
    'recall.index': async (input) => {
      const { question, notices } = readQuestion(recallParts, input);
      const found = await index(recallParts, question, { quiet: input.quiet ?? false });
      return { ...found, notices: [...notices, ...found.notices] };
    },
    'recall.timeline': (question) => timeline(recallParts, question),
    'recall.hydrate': (request) => hydrate(recallParts, request),
    'recall.workflow': () => ({ text: RECALL_WORKFLOW }),
  };
}
