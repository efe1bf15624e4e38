import type { Figures } from './report.ts';

/** A limit we set ourselves. `issue` is what the foundations must reach, `spec` where it has to go. */
export interface Bar {
  what: string;
  from: 'issue' | 'spec';
  limit: number;
  unit: 'ms' | '×' | 'MB' | 'MB/s' | '%' | 'exit code';
  measured: number | null;
  /** The limit itself is already too much. */
  below?: true;
  /** More is better. */
  least?: true;
}

export function isMet({ measured, limit, below, least }: Bar): boolean {
  if (measured === null) return false;
  if (least) return measured >= limit;
  return below ? measured < limit : measured <= limit;
}

const LARGE = 10_000;

/** Every bar with what was measured for it at 10 000 learnings, the size the limits are set for; null where this run measured nothing. */
export function barsOf(figures: Figures): Bar[] {
  const { start, backfill } = figures;
  const atLarge = <T extends { size: number }>(all: T[]) => all.find(({ size }) => size === LARGE) ?? null;
  const [large, hook, idle] = [atLarge(figures.recall), atLarge(figures.hook), atLarge(figures.idle)];
  const recallP95 = large?.everywhere.p95 ?? null;
  const hookRatio = hook?.commandRatio ?? null;
  const withoutDaemon = hook && Math.max(hook.withoutDaemon.neverMs, hook.withoutDaemon.killedMs);
  const cpu =
    idle &&
    Math.max(
      idle.withoutModels.cpuPercent,
      idle.withEmbedder.cpuPercent,
      idle.withBothModels?.cpuPercent ?? 0,
    );
  const rss = idle?.withoutModels.rssMb ?? null;
  return [
    {
      what: 'recall p95 at 10 k, no cross-encoder',
      from: 'issue',
      limit: 25,
      unit: 'ms',
      measured: recallP95,
    },
    {
      what: 'recall p95 at 10 k, no cross-encoder',
      from: 'spec',
      limit: 15,
      unit: 'ms',
      measured: recallP95,
    },
    {
      what: 'recall p95 with cross-encoder ÷ its parts alone',
      from: 'spec',
      limit: 1.15,
      unit: '×',
      measured: large?.reranked?.ratio.p95 ?? null,
    },
    {
      what: 'hook ÷ node -e 0, warm daemon at 10 k',
      from: 'issue',
      limit: 2,
      unit: '×',
      measured: hookRatio,
    },
    {
      what: 'hook ÷ node -e 0, warm daemon at 10 k',
      from: 'spec',
      limit: 1.6,
      unit: '×',
      measured: hookRatio,
    },
    {
      what: 'slowest hook of any event ÷ node -e 0, 10 k',
      from: 'spec',
      limit: 1.6,
      unit: '×',
      measured: hook && Math.max(...hook.events.map(({ ratio }) => ratio)),
    },
    {
      what: 'hook at a daemon that hangs or restarts',
      from: 'issue',
      limit: 0,
      unit: 'exit code',
      measured: hook && Math.max(...hook.trouble.exitCodes.map(Math.abs)),
    },
    { what: 'hook without a daemon', from: 'issue', limit: 300, unit: 'ms', measured: withoutDaemon },
    {
      what: 'hook without a daemon',
      from: 'issue',
      limit: 0,
      unit: 'exit code',
      measured: hook && Math.max(...hook.withoutDaemon.exitCodes.map(Math.abs)),
    },
    { what: 'idle CPU at 10 k', from: 'issue', limit: 1, unit: '%', measured: cpu, below: true },
    { what: 'idle CPU at 10 k', from: 'spec', limit: 0.5, unit: '%', measured: cpu, below: true },
    { what: 'idle RSS without models at 10 k', from: 'issue', limit: 200, unit: 'MB', measured: rss },
    { what: 'idle RSS without models at 10 k', from: 'spec', limit: 150, unit: 'MB', measured: rss },
    {
      what: 'idle RSS with both models at 10 k',
      from: 'spec',
      limit: 450,
      unit: 'MB',
      measured: idle?.withBothModels?.rssMb ?? null,
    },
    {
      what: 'cold start to the first recall, 10 k',
      from: 'spec',
      limit: 1_500,
      unit: 'ms',
      measured: start?.size === LARGE ? start.firstAnswerMs : null,
    },
    {
      what: 'back-fill, parsed and noticed',
      from: 'issue',
      limit: 20,
      unit: 'MB/s',
      measured: backfill?.megabytesPerSecond ?? null,
      least: true,
    },
    {
      what: 'recall p95 during back-fill ÷ idle',
      from: 'issue',
      limit: 2,
      unit: '×',
      measured: backfill?.ratio ?? null,
    },
  ];
}
