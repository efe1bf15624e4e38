import type { DaemonStatus } from '#contract/status.ts';
import { conditionWords as words } from './words.ts';

/** Something a person should know or do, and where to do it. */
export interface Concern {
  says: string;
  advice: string;
  /** The tab of Settings that mends it. */
  tab?: 'models' | 'agents' | 'general';
}

/** Everything that keeps Reflect from working in full, most important first; empty when all is well. */
export function concernsOf(status: DaemonStatus): Concern[] {
  const { index, capture, sources, documentProblems } = status;
  const isWatching = capture === 'watching' || capture === 'back-filling';
  const concerns: (Concern | false)[] = [
    ...status.notices.map((says) => ({ says, advice: '' })),
    !status.agreed
      ? { ...words.notAgreed, tab: 'general' }
      : capture === 'off' && { ...words.captureOff, tab: 'general' },
    capture === 'paused' && { ...words.capturePaused, tab: 'general' },
    index.state === 'lexical-only' && { ...words.wordsOnly, tab: 'models' },
    isWatching && sources.every(({ present }) => !present) && { ...words.noAgents, tab: 'agents' },
    documentProblems > 0 && { says: words.unreadable(documentProblems), advice: words.unreadableAdvice },
  ];
  return concerns.filter((concern) => concern !== false);
}
