import type { Figures } from './figures.ts';
import type { HookFigures } from './hook-bench.ts';

/** A limit we set ourselves. */
export interface Bar {
  what: string;
  limit: number;
  unit: 's' | 'ms' | '×' | 'MB' | 'MB/s' | '%' | 'exit code';
  measured: number | null;
  /** The measured value must be below the limit, not equal to it. */
  below?: true;
  /** More is better. */
  least?: true;
}

export function isMet({ measured, limit, below, least }: Bar): boolean {
  if (measured === null) return false;
  if (least) return measured >= limit;
  return below ? measured < limit : measured <= limit;
}

/** Ratios compare two things measured side by side, so they hold on any machine; milliseconds only on a quiet one. */
export const brokenRatios = (figures: Figures): Bar[] =>
  barsOf(figures).filter((bar) => bar.unit === '×' && bar.measured !== null && !isMet(bar));

type BarRow = [Bar['what'], number, Bar['unit'], Bar['measured'], ('below' | 'least')?];

const LARGE = 10_000;
const PROMPT = 'UserPromptSubmit';

const slowest = (hook: HookFigures | null, which: (event: string) => boolean): number | null =>
  hook &&
  [...hook.events, { event: 'SessionStart', ratio: hook.hookRatio }]
    .filter(({ event }) => which(event))
    .reduce<number | null>((most, { ratio }) => Math.max(most ?? 0, ratio), null);

/** Every bar with its figure at 10 000 learnings; null if this run did not measure it. */
export function barsOf(figures: Figures): Bar[] {
  const { start, backfill } = figures;
  const atLarge = <T extends { size: number }>(all: T[]) => all.find(({ size }) => size === LARGE) ?? null;
  const [large, hook] = [atLarge(figures.recall), atLarge(figures.hook)];
  const idle = figures.idle && atLarge([figures.idle]);
  const started = start && atLarge([start]);
  const huge = figures.recall.find(({ size }) => size === 10 * LARGE);
  const recallP95 = large?.everywhere.p95 ?? null;
  const withoutDaemon = hook && Math.max(hook.withoutDaemon.neverMs, hook.withoutDaemon.killedMs);
  const cpu =
    idle &&
    Math.max(
      idle.withoutModels.cpuPercent,
      idle.withEmbedder.cpuPercent,
      idle.withBothModels?.cpuPercent ?? 0,
    );
  const rss = idle?.withoutModels.rssMb ?? null;
  const ratios = figures.recall.flatMap(({ size, ratioToFloor }): BarRow[] => [
    [`recall everywhere ÷ floor, ${size}`, 1.3, '×', ratioToFloor.everywhere],
    [`recall in a project ÷ floor, ${size}`, 1.3, '×', ratioToFloor.inProject],
  ]);
  const bars: BarRow[] = [
    ...ratios,
    ['the same question again at 10 k', 2, 'ms', large?.cached.p50 ?? null],
    ['recall p95 at 10 k, no cross-encoder', 15, 'ms', recallP95],
    ['recall p95 at 100 k, no cross-encoder', 40, 'ms', huge?.everywhere.p95 ?? null],
    ['recall p95 with cross-encoder ÷ its parts alone', 1.15, '×', large?.reranked?.ratio.p95 ?? null],
    ['prompt hook ÷ node -e 0, 10 k', 1.5, '×', slowest(hook, (event) => event === PROMPT)],
    ['slowest other hook ÷ node -e 0, 10 k', 1.3, '×', slowest(hook, (event) => event !== PROMPT)],
    ['reflect hook SessionStart ÷ node -e 0, 10 k', 1.3, '×', hook?.commandRatio ?? null],
    [
      'hook at a daemon that hangs or restarts',
      0,
      'exit code',
      hook && Math.max(...hook.trouble.exitCodes.map(Math.abs)),
    ],
    ['hook without a daemon', 300, 'ms', withoutDaemon],
    [
      'hook without a daemon',
      0,
      'exit code',
      hook && Math.max(...hook.withoutDaemon.exitCodes.map(Math.abs)),
    ],
    ['idle CPU at 10 k', 0.1, '%', cpu, 'below'],
    ['idle RSS without models at 10 k', 150, 'MB', rss],
    ['idle RSS with models at 10 k', 350, 'MB', (idle?.withBothModels ?? idle?.withEmbedder)?.rssMb ?? null],
    ['cold start to the first recall, 10 k', 1_000, 'ms', started?.firstAnswerMs ?? null],
    ['models back after they were unloaded', 300, 'ms', started?.backAfterRestMs ?? null],
    ['status of a warm daemon, 10 k', 1, 'ms', hook?.statusMs ?? null],
    ['back-fill, parsed and noticed', 20, 'MB/s', backfill?.megabytesPerSecond ?? null, 'least'],
    ['recall p95 during back-fill ÷ idle', 2, '×', backfill?.ratio ?? null],
  ];
  return bars.map(([what, limit, unit, measured, more]) => ({
    what,
    limit,
    unit,
    measured,
    ...(more && { [more]: true }),
  }));
}
