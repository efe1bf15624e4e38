import type { DaemonStatus } from '#contract/status.ts';
import type { LinkState } from '../daemon.ts';
import { statusWords } from './words.ts';
import { formatMs, formatPercent } from '../ui/format.ts';

export type StatusWords = { tone: 'good' | 'attention' | 'bad' | 'quiet'; parts: string[] };

const words = statusWords;

function captureWords(status: DaemonStatus): string {
  if (status.capture === 'paused' || status.capture === 'off') return words[status.capture];
  const present = status.sources.filter((source) => source.present);
  if (status.capture === 'watching') return words.watching(present.length);
  const { bytesDone, bytesTotal } = status.progress;
  return words['back-filling'](formatPercent(bytesTotal === 0 ? 1 : bytesDone / bytesTotal));
}

/** The daemon's activity in plain words, most important first. */
export function describeStatus(link: LinkState, status: DaemonStatus | undefined): StatusWords {
  if (link === 'offline') return { tone: 'bad', parts: [words.offline] };
  if (!status) return { tone: 'quiet', parts: [words.connecting] };
  const parts = [...status.notices, captureWords(status)];
  if (status.queue > 0) parts.push(words.queue(status.queue));
  if (status.index.state === 'building') parts.push(words.indexBuilding(status.index.waiting));
  if (status.index.state === 'lexical-only') parts.push(words.wordsOnly);
  if (status.models.some(({ state }) => state === 'fetching')) parts.push(words.fetching);
  parts.push(words.learnings(status.learnings));
  if (status.recall.count > 0) parts.push(words.recall(formatMs(status.recall.p50Ms)));
  parts.push(words.spent(status.tokensSpentToday));
  return {
    tone:
      status.notices.length > 0 ||
      status.index.state === 'lexical-only' ||
      status.capture === 'paused' ||
      status.capture === 'off'
        ? 'attention'
        : 'good',
    parts,
  };
}
