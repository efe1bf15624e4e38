import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Inference } from '../inference/inference.ts';
import { benchBackfill } from './backfill-bench.ts';
import { buildDaemon } from './build.ts';
import { ROOT } from './daemon-process.ts';
import { type Homes, openBench } from './home.ts';
import { benchHook } from './hook-bench.ts';
import { benchIdle } from './idle-bench.ts';
import { benchRecall } from './recall-bench.ts';
import type { Figures } from './figures.ts';
import { render, toJson } from './report.ts';
import { brokenRatios } from './bars.ts';
import { writeDocument } from './document.ts';
import { benchStart } from './start-bench.ts';
import { messageOf } from '#contract/errors.ts';

const PARTS = ['recall', 'hook', 'idle', 'start', 'backfill'] as const;
type Part = (typeof PARTS)[number];

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '1000,10000' },
    only: { type: 'string' },
    huge: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    document: { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  const sizes = options.size.split(',').map(Number);
  if (sizes.some((size) => !Number.isInteger(size) || size < 200))
    throw new Error('--size takes whole numbers from 200 on, e.g. 1000,10000');
  if (options.only !== undefined && !PARTS.some((part) => part === options.only))
    throw new Error(`--only takes one of ${PARTS.join(', ')}`);
  const wanted = (part: Part) => options.only === undefined || options.only === part;
  if (PARTS.slice(1).some(wanted)) buildDaemon(say);

  const start = performance.now();
  const { environment, inference, homes } = await openBench(say);
  try {
    const figures = await measure(homes, inference, environment, sizes, wanted);
    figures.seconds = (performance.now() - start) / 1_000;
    process.stdout.write(options.json ? toJson(figures) : render(figures));
    const refused = options.document ? writeDocument(join(ROOT, 'docs'), figures) : null;
    if (refused) say(`docs/bench.md is not written: ${refused}`);
    if (options.check) check(figures);
  } finally {
    await inference.close();
  }
}

/** Fails the run when a ratio is worse than its bar. */
function check(figures: Figures): void {
  const broken = brokenRatios(figures);
  for (const { what, measured, limit } of broken)
    say(`broken: ${what} is ${measured?.toFixed(2)} ×, and may be ${limit} ×`);
  if (broken.length > 0) process.exitCode = 1;
}

async function measure(
  homes: Homes,
  inference: Inference,
  environment: NodeJS.ProcessEnv,
  sizes: number[],
  wanted: (part: Part) => boolean,
): Promise<Figures> {
  const hasCrossEncoder = inference.available('cross-encoder') !== null;
  const figures: Figures = {
    machine: `${availableParallelism()} cores`,
    node: process.versions.node,
    recall: [],
    hook: [],
    idle: null,
    start: null,
    backfill: null,
    seconds: 0,
  };
  for (const size of wanted('recall') ? sizes : []) {
    await homes.filled(size);
    say(`measuring recall over ${size} learnings`);
    figures.recall.push(await benchRecall(homes, inference, size));
  }
  if (wanted('start')) {
    const size = Math.max(...sizes);
    await homes.filled(size);
    say('starting daemons');
    figures.start = await benchStart(homes, environment, size, hasCrossEncoder);
  }
  for (const size of wanted('hook') ? sizes : []) {
    say(`running hooks on ${size} learnings`);
    figures.hook.push(await benchHook(homes, environment, size));
  }
  if (wanted('idle')) {
    const size = Math.max(...sizes);
    say(`measuring idle daemons with ${size} learnings, once they have settled`);
    figures.idle = await benchIdle(homes, environment, size, hasCrossEncoder);
  }
  if (wanted('backfill')) {
    say('back-filling sessions');
    figures.backfill = await benchBackfill(homes, environment, Math.max(...sizes), {
      files: 24,
      megabytesPerFile: 5,
      hugeMegabytes: Number(options.huge),
    });
  }
  return figures;
}

function say(line: string): void {
  process.stderr.write(`· ${line}\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`bench: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
