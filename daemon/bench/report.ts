import { type Bar, barsOf, isMet } from './bars.ts';
import type { BackfillFigures } from './backfill-bench.ts';
import type { Figures } from './figures.ts';
import { REAL_VECTORS } from './home.ts';
import type { HookFigures } from './hook-bench.ts';
import type { IdleFigures, IdleUse } from './idle-bench.ts';
import type { RecallFigures } from './recall-bench.ts';
import type { StartFigures } from './start-bench.ts';
import { roundedJson, type Spread } from './statistics.ts';

/** The figures and bars as JSON. */
export const toJson = (figures: Figures): string =>
  roundedJson({ ...figures, bars: barsOf(figures).map((bar) => ({ ...bar, met: isMet(bar) })) });

type Row = [what: string, ...figures: string[]];

const CONTENDED = 0.1; // share of the cores; above it the report says so

const ms = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
const mb = (value: number) => `${value.toFixed(0)} MB`;
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

function recallRows(figures: RecallFigures): Row[] {
  const { everywhere, inProject, embeddingAlone, floorMs, ratioToFloor, cached, reranked } = figures;
  const { whole = 0, ...steps } = figures.stages;
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

function startRows(figures: StartFigures): Row[] {
  const { starts, listeningMs, firstAnswerMs, firstRerankedMs, backAfterRestMs } = figures;
  return [
    ['spawn → run/daemon.json', ms(listeningMs)],
    ['spawn → first recall.search', ms(firstAnswerMs), `of ${starts.plain}`],
    ...(firstRerankedMs === null
      ? []
      : [['spawn → first one with cross-encoder', ms(firstRerankedMs), `of ${starts.reranked}`] as Row]),
    ['models unloaded → question embedded', ms(backAfterRestMs)],
  ];
}

function hookRows(figures: HookFigures): Row[] {
  const { nodeMs, hookMs, commandMs, hookRatio, commandRatio, events, trouble, withoutDaemon } = figures;
  const exits = (codes: number[]) => `exit ${codes.join(', ')}`;
  return [
    ['node -e 0', ms(nodeMs)],
    ['hook.cjs SessionStart, warm daemon', ms(hookMs), times(hookRatio)],
    ['reflect hook SessionStart, warm daemon', ms(commandMs), times(commandRatio)],
    ...events.map(({ event, ms: took, ratio }): Row => [
      `hook.cjs ${event}, warm daemon`,
      ms(took),
      times(ratio),
    ]),
    ['status, over an open connection', ms(figures.statusMs)],
    ['hook.cjs UserPromptSubmit, daemon hangs', ms(trouble.hungMs), exits(trouble.exitCodes)],
    ['hook.cjs SessionStart, daemon hangs', ms(trouble.hungStartMs), exits(trouble.exitCodes)],
    [
      `${trouble.fired} while it is killed and started again`,
      ms(trouble.longestMs),
      `${trouble.answered} answered, ${trouble.complaints.length} complaints`,
    ],
    ['reflect hook, no daemon ever', ms(withoutDaemon.neverMs), exits(withoutDaemon.exitCodes)],
    ['reflect hook, daemon was killed', ms(withoutDaemon.killedMs), exits(withoutDaemon.exitCodes)],
  ];
}

function idleRows({ withoutModels, withEmbedder, withBothModels }: IdleFigures): Row[] {
  const row = (what: string, { rssMb, cpuPercent, settledAfter }: IdleUse): Row => [
    what,
    mb(rssMb),
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

function backfillRows(figures: BackfillFigures): Row[] {
  const { megabytes, seconds, megabytesPerSecond: speed, idleP95, duringP95, ratio } = figures;
  return [
    ['transcripts read', mb(megabytes), `${seconds.toFixed(1)} s`, `${speed.toFixed(1)} MB/s`],
    ['recall p95, idle and meanwhile', ms(idleP95), ms(duringP95), times(ratio)],
    ['RSS before and at most', mb(figures.rssBeforeMb), mb(figures.rssPeakMb)],
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
