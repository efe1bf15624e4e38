import { type Bar, barsOf, isMet } from './bars.ts';
import type { BackfillFigures } from './backfill-bench.ts';
import type { Figures } from './figures.ts';
import { REAL_VECTORS } from './home.ts';
import type { HookFigures } from './hook-bench.ts';
import type { IdleFigures, IdleUse } from './idle-bench.ts';
import type { RecallFigures } from './recall-bench.ts';
import type { StartFigures } from './start-bench.ts';
import type { Spread } from './statistics.ts';

/** The figures and bars as JSON. */
export function toJson(figures: Figures): string {
  const rounded = (_key: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value;
  return `${JSON.stringify({ ...figures, bars: barsOf(figures).map((bar) => ({ ...bar, met: isMet(bar) })) }, rounded, 2)}\n`;
}

type Row = [what: string, ...figures: string[]];

const CONTENDED = 0.1; // share of the cores; above it the report says so

const ms = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
const times = (value: number) => `${value.toFixed(2)} ×`;
const thousands = (value: number) => value.toLocaleString('en').replaceAll(',', ' ');

/** The table for people: the figures, then each bar with a mark. */
export function render(figures: Figures): string {
  const { machine, node, recall, hook, idle, start, backfill, seconds } = figures;
  const blocks = [
    `Reflect bench · ${machine} · Node ${node} · ${seconds.toFixed(0)} s`,
    ...recall.map((one) =>
      block(`Recall, ${thousands(one.size)} learnings`, recallRows(one), one.contention),
    ),
    recall.length > 0 ? note() : '',
    start ? block(`Cold start, ${thousands(start.size)} learnings`, startRows(start), start.contention) : '',
    ...hook.map((one) => block(`Hooks, ${thousands(one.size)} learnings`, hookRows(one), one.contention)),
    idle ? block(`Idle for a minute, ${thousands(idle.size)} learnings`, idleRows(idle), 0) : '',
    backfill ? block('Back-fill', backfillRows(backfill), backfill.contention) : '',
    renderBars(barsOf(figures)),
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

/** Each bar that was measured, with a mark. */
export function renderBars(bars: readonly Bar[]): string {
  const measured = bars.filter((bar) => bar.measured !== null);
  return block('Bars', [['', 'measured', 'bar'], ...measured.map(barRow)], 0);
}

function note(): string {
  return (
    `Distinct questions; medians over rounds. The first ${REAL_VECTORS} vectors are real embeddings of the notes; the others are those,\n` +
    'moved a little by a seeded generator and normalised.'
  );
}

function recallRows({
  everywhere,
  inProject,
  embeddingAlone,
  floorMs,
  ratioToFloor,
  cached,
  reranked,
  stages,
}: RecallFigures): Row[] {
  const { whole = 0, ...steps } = stages;
  return [
    ['', 'best', 'p50', 'p95'],
    ['query embedding alone', ...spread(embeddingAlone)],
    ['floor: the slower embedder, and searching', '', ms(floorMs)],
    ['recall everywhere, no cross-encoder', ...spread(everywhere)],
    ['  ÷ floor', '', times(ratioToFloor.everywhere)],
    ['recall in a project, no cross-encoder', ...spread(inProject)],
    ['  ÷ floor', '', times(ratioToFloor.inProject)],
    ['the same question again', ...spread(cached)],
    ...(reranked ? rerankedRows(reranked) : [['with a cross-encoder', 'none is there'] as Row]),
    ['where it goes (trace, everywhere)', '', ms(whole)],
    ...Object.entries(steps)
      .filter(([, value]) => value >= 0.05)
      .map(([port, value]): Row => [`  ${port}`, '', ms(value)]),
  ];
}

function rerankedRows({ model, recall, batchAlone, ratio }: NonNullable<RecallFigures['reranked']>): Row[] {
  return [
    [`that rerank batch alone (${model})`, ...spread(batchAlone)],
    ['recall everywhere, with cross-encoder', ...spread(recall)],
    ['  ÷ (query embedding + that batch)', ...spread(ratio, times)],
  ];
}

function startRows({
  starts,
  listeningMs,
  firstAnswerMs,
  firstRerankedMs,
  backAfterRestMs,
}: StartFigures): Row[] {
  return [
    ['spawn → run/daemon.json', ms(listeningMs)],
    ['spawn → first recall.search', ms(firstAnswerMs), `of ${starts.plain}`],
    ...(firstRerankedMs === null
      ? []
      : [['spawn → first one with cross-encoder', ms(firstRerankedMs), `of ${starts.reranked}`] as Row]),
    ['models unloaded → question embedded', ms(backAfterRestMs)],
  ];
}

function hookRows({
  nodeMs,
  hookMs,
  commandMs,
  hookRatio,
  commandRatio,
  events,
  trouble,
  withoutDaemon,
  statusMs,
}: HookFigures): Row[] {
  return [
    ['node -e 0', ms(nodeMs)],
    ['hook.cjs SessionStart, warm daemon', ms(hookMs), times(hookRatio)],
    ['reflect hook SessionStart, warm daemon', ms(commandMs), times(commandRatio)],
    ...events.map(({ event, ms: took, ratio }): Row => [
      `hook.cjs ${event}, warm daemon`,
      ms(took),
      times(ratio),
    ]),
    ['status, over an open connection', ms(statusMs)],
    ['hook.cjs UserPromptSubmit, daemon hangs', ms(trouble.hungMs), `exit ${trouble.exitCodes.join(', ')}`],
    ['hook.cjs SessionStart, daemon hangs', ms(trouble.hungStartMs), `exit ${trouble.exitCodes.join(', ')}`],
    [
      `${trouble.fired} while it is killed and started again`,
      ms(trouble.longestMs),
      `${trouble.answered} answered, ${trouble.complaints.length} complaints`,
    ],
    ['reflect hook, no daemon ever', ms(withoutDaemon.neverMs), `exit ${withoutDaemon.exitCodes.join(', ')}`],
    [
      'reflect hook, daemon was killed',
      ms(withoutDaemon.killedMs),
      `exit ${withoutDaemon.exitCodes.join(', ')}`,
    ],
  ];
}

function idleRows({ withoutModels, withEmbedder, withBothModels }: IdleFigures): Row[] {
  const row = (what: string, { rssMb, cpuPercent, settledAfter }: IdleUse): Row => [
    what,
    `${rssMb.toFixed(0)} MB`,
    `${cpuPercent.toFixed(2)} % CPU`,
    `settled after ${settledAfter.toFixed(0)} s`,
  ];
  return [
    row('without models', withoutModels),
    row('with the embedders', withEmbedder),
    withBothModels
      ? row('with embedders and cross-encoder', withBothModels)
      : ['with a cross-encoder', 'none is there'],
  ];
}

function backfillRows({
  megabytes,
  seconds,
  megabytesPerSecond,
  idleP95,
  duringP95,
  ratio,
  rssBeforeMb,
  rssPeakMb,
}: BackfillFigures): Row[] {
  return [
    [
      'transcripts read',
      `${megabytes.toFixed(0)} MB`,
      `${seconds.toFixed(1)} s`,
      `${megabytesPerSecond.toFixed(1)} MB/s`,
    ],
    ['recall p95, idle and meanwhile', ms(idleP95), ms(duringP95), times(ratio)],
    ['RSS before and at most', `${rssBeforeMb.toFixed(0)} MB`, `${rssPeakMb.toFixed(0)} MB`],
  ];
}

function barRow(bar: Bar): Row {
  const { what, limit, unit, measured } = bar;
  const digits = unit === 'exit code' || (measured ?? 0) >= 100 ? 0 : unit === 'ms' ? 1 : 2;
  return [
    `${isMet(bar) ? '✓' : '✗'} ${what}`,
    `${(measured ?? 0).toFixed(digits)} ${unit}`,
    `${bar.below ? '<' : bar.least ? '≥' : '≤'} ${limit} ${unit}`,
  ];
}

const spread = ({ best, p50, p95 }: Spread, format: (value: number) => string = ms): string[] => [
  format(best),
  format(p50),
  format(p95),
];

function block(title: string, rows: Row[], contention: number): string {
  const busy =
    contention > CONTENDED
      ? `   (others used ${(contention * 100).toFixed(0)} % of the cores meanwhile)`
      : '';
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: Row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('   ')
      .trimEnd();
  return [`${title}${busy}`, ...rows.map((row) => `  ${line(row)}`)].join('\n');
}
