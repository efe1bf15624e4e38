import type { DaemonStatus } from '#contract/status.ts';
import type { LinkState } from '../daemon.ts';
import { type Concern, concernsOf } from './condition.ts';
import { conditionWords, statusWords } from './words.ts';
import { formatMs, formatPercent } from '../ui/format.ts';

type StatusWords = { tone: 'good' | 'attention' | 'bad' | 'quiet'; parts: string[] };

const words = statusWords;

/** True while there is something to read; without an agent the condition says so. */
const isReading = ({ capture, sources }: DaemonStatus): boolean =>
  capture === 'back-filling' || (capture === 'watching' && sources.some(({ present }) => present));

function captureWords(status: DaemonStatus): string {
  const present = status.sources.filter((source) => source.present);
  if (status.capture === 'watching') return words.watching(present.length);
  const { bytesDone, bytesTotal } = status.progress;
  return words['back-filling'](formatPercent(bytesTotal === 0 ? 1 : bytesDone / bytesTotal));
}

/** The daemon's activity in plain words, most important first. */
export function describeStatus(link: LinkState, status: DaemonStatus | undefined): StatusWords {
  if (link === 'offline') return { tone: 'bad', parts: [words.offline] };
  if (!status) return { tone: 'quiet', parts: [words.connecting] };
  const concerns = concernsOf(status);
  const parts = [conditionIn(concerns)];
  if (isReading(status)) parts.push(captureWords(status));
  if (status.queue > 0) parts.push(words.queue(status.queue));
  if (status.index.state === 'building') parts.push(words.indexBuilding(status.index.waiting));
  if (status.models.some(({ state }) => state === 'fetching')) parts.push(words.fetching);
  parts.push(words.learnings(status.learnings));
  if (status.recall.count > 0) parts.push(words.recall(formatMs(status.recall.p50Ms)));
  if (status.tokensSpentToday > 0) parts.push(words.spent(status.tokensSpentToday));
  return { tone: concerns.length > 0 ? 'attention' : 'good', parts };
}

/** The first sentence of the most important concern, which fits in a line; Settings › Status lists all of them. */
function conditionIn([first, ...others]: Concern[]): string {
  if (!first) return conditionWords.good;
  const says = first.says.replace(/\.(?: .*)?$/s, '');
  return others.length === 0 ? says : conditionWords.andMore(says, others.length);
}
