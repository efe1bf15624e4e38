import { DaemonError } from '#contract/errors.ts';
import { isStopWord } from '../../text/stop-words.ts';
import { parseDates, withoutPhrase } from '../dates/parse-dates.ts';
import { tokens } from '../../text/tokenise.ts';

export interface Times {
  since?: number | undefined;
  until?: number | undefined;
}

type Written = number | string | undefined;

/** `since` and `until` as people write them. A day counts whole: since it means from its start, until it to its end. */
export function readTimes({ since, until }: { since?: Written; until?: Written }, now: number): Times {
  const times = { since: timeOf('since', since, now), until: timeOf('until', until, now) };
  if (times.since !== undefined && times.until !== undefined && times.since > times.until) {
    throw new DaemonError('bad-input', `since ${String(since)} is later than until ${String(until)}`);
  }
  return times;
}

const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

function timeOf(name: 'since' | 'until', written: Written, now: number): number | undefined {
  if (written === undefined || typeof written === 'number') return written;
  const at = INSTANT.test(written)
    ? Date.parse(written)
    : rangeOf(written, now)?.[name === 'since' ? 'start' : 'end'];
  if (at === undefined || Number.isNaN(at) || at < 0) {
    throw new DaemonError(
      'bad-input',
      `${name} does not understand ${JSON.stringify(written.slice(0, 60))}; write a date such as 2026-03-01, or a phrase such as "last week" or "3 days ago"`,
    );
  }
  return at;
}

/** The days a phrase names; null when it names none or says more. A bare month counts only after a preposition. */
function rangeOf(phrase: string, now: number): { start: number; end: number } | null {
  const readings = [phrase, `in ${phrase}`].flatMap((text) => {
    const range = parseDates(text, now);
    return range && isAll(text, withoutPhrase(text, range)) ? [range] : [];
  });
  return readings.toSorted((a, b) => b.confidence - a.confidence)[0] ?? null;
}

/** Nothing of substance is left of it: "yesterdayish or so" is refused, not guessed at. */
function isAll(text: string, left: string): boolean {
  return left !== text && tokens(left).every(isStopWord);
}
