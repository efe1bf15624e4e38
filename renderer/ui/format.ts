import { projectNames } from './project-names.ts';

const counts = new Intl.NumberFormat();
// The words of the app are English; only dates and numbers follow the reader's region.
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export const formatCount = (count: number): string => counts.format(count);
export const plural = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
/** `key ×3, token ×1`: what there is most of first. */
export const formatTally = (tally: Readonly<Record<string, number>>): string =>
  Object.entries(tally)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ×${formatCount(count)}`)
    .join(', ');
export const sumOf = (tally: Readonly<Record<string, number>>): number =>
  Object.values(tally).reduce((sum, count) => sum + count, 0);
export const formatMoment = (at: number): string => moment.format(at);
/** Midnight before a moment, where the reader is. */
export const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

export const formatPercent = (share: number): string => `${Math.round(share * 100)}%`;

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** "3 weeks ago". */
export function formatAgo(at: number, now: number = Date.now()): string {
  const [unit, length] = STEPS.find(([, step]) => Math.abs(now - at) >= step) ?? ['second', 1_000];
  // Seconds would tick on screen and say nothing.
  return unit === 'second' ? 'just now' : relative.format(-Math.floor((now - at) / length), unit);
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const amount = bytes / 1000 ** power;
  return `${amount >= 100 || power === 0 ? Math.round(amount) : amount.toFixed(1)} ${units[power]}`;
}

export const formatMs = (ms: number): string => (ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`);

/** A project's id is where it is kept, such as `github.com/acme/shop`; people call it by its last part. */
export const projectName = projectNames([]);

/** A path, or a text with paths, in which the home folder is `~`. */
export const withTilde = (text: string, home = ''): string =>
  // A container's home may be `/`.
  home.length > 1
    ? text.replaceAll(home, (found, at: number) => (/\w/.test(text.charAt(at + found.length)) ? found : '~'))
    : text;

/** A signal's name in plain words: `signal.root-cause` is "root cause". */
export const signalName = (id: string): string => id.replace(/^signal\./, '').replaceAll('-', ' ');

export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
