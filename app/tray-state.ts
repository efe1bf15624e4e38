import type { Moment } from '#contract/capture.ts';
import type { DaemonStatus } from '#contract/status.ts';

/** The daemon as the tray sees it; `status` is missing while there is no connection. */
export interface TrayView {
  status: DaemonStatus | undefined;
  /** Why there is no daemon, if that is known. */
  problem: string | null;
  recent: Moment[];
}

export type TrayState = 'idle' | 'draining' | 'attention';

export function trayState({ status }: TrayView): TrayState {
  if (!status || status.attention > 0 || status.documentProblems > 0 || status.notices.length > 0)
    return 'attention';
  return status.queue > 0 || status.capture === 'back-filling' ? 'draining' : 'idle';
}

/** One line of plain words, for the tooltip and the top of the menu. */
export function traySentence({ status, problem }: TrayView): string {
  if (!status) return shortened(problem ?? 'The daemon does not respond');
  const [notice] = status.notices;
  if (notice !== undefined) return notice;
  if (status.attention > 0) return `${count(status.attention, 'decision')} waiting for you`;
  if (status.documentProblems > 0) return `${count(status.documentProblems, 'note')} cannot be read`;
  if (status.capture === 'paused') return 'Capture is paused';
  if (status.capture === 'back-filling') return 'Reading earlier sessions';
  if (status.queue > 0) return `Learning from ${count(status.queue, 'moment')}`;
  return `Watching, ${count(status.learnings, 'learning')}`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

const LABEL_LENGTH = 60;
const shortened = (words: string): string =>
  words.length > LABEL_LENGTH ? `${words.slice(0, LABEL_LENGTH - 1)}…` : words;

/** Recent captures that became learnings, newest first, each with the words that triggered it. */
export function recentCaptures({ recent }: TrayView): { learningId: string; label: string }[] {
  return recent.flatMap(({ learningId, quote, signal }) => {
    if (learningId === null) return [];
    const words = (quote || signal).replace(/\s+/g, ' ').trim();
    return [{ learningId, label: shortened(words) }];
  });
}
