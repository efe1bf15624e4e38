// Many at once: `npm run bench:load [-- --only crowd|backfill|import|hostile]`, or `-- --soak` for a day in
// fast-forward (soak.ts). A built daemon with models answers 200 recalls and 50 hooks at once, reads old sessions, and
// imports 10,000 notes while it is asked. Prints a table of bars, and how busy the machine was with other work, because
// only on a quiet one do the figures mean something.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Inference } from '../inference/inference.ts';
import { benchBackfill } from './backfill-bench.ts';
import type { Bar } from './bars.ts';
import { DIST, startBuilt } from './daemon-process.ts';
import { type Homes, openBench } from './home.ts';
import { makeRepository } from './hook-bench.ts';
import { benchCrowd } from './load-crowd.ts';
import { benchHostile } from './load-hostile.ts';
import { benchImports, writeArchive } from './load-import.ts';
import { watchContention } from './machine.ts';
import { renderBars } from './report.ts';

const PARTS = ['crowd', 'backfill', 'import', 'hostile'] as const;
const { values } = parseArgs({
  strict: false, // the soak reads its own
  options: {
    size: { type: 'string', default: '1000' },
    imported: { type: 'string', default: '10000' },
    only: { type: 'string' },
    soak: { type: 'boolean', default: false },
  },
});

const say = (line: string) => process.stdout.write(`${line}\n`);

async function measure(
  part: (typeof PARTS)[number],
  homes: Homes,
  inference: Inference,
  environment: NodeJS.ProcessEnv,
): Promise<Bar[]> {
  const size = Number(values.size);
  if (part === 'import') {
    const archive = await writeArchive(homes, inference, Number(values.imported));
    return benchImports(homes, environment, { archive, size }, say);
  }
  if (part === 'hostile') return benchHostile(homes, environment, size, say);
  if (part === 'backfill') {
    const sessions = { files: 24, megabytesPerFile: 5, hugeMegabytes: 0 };
    const figures = await benchBackfill(homes, environment, size, sessions);
    const { ratio, rssPeakMb, rssBeforeMb, megabytesPerSecond } = figures;
    say(
      `back-fill: ${megabytesPerSecond.toFixed(1)} MB/s; memory ${Math.round(rssBeforeMb)} MB before, ${Math.round(rssPeakMb)} MB at most`,
    );
    return [
      { what: 'recall p95 during back-fill ÷ idle', limit: 2, unit: '×', measured: ratio },
      { what: 'memory during back-fill', limit: 450, unit: 'MB', measured: rssPeakMb },
    ];
  }
  const daemon = await startBuilt(await homes.copy(size, 'load'), environment);
  try {
    return await benchCrowd(daemon, environment, makeRepository(homes.folder('shop')), say);
  } finally {
    await daemon.stop();
  }
}

async function main(): Promise<void> {
  if (!existsSync(join(DIST, 'main.js'))) throw new Error('run `npm run build` first');
  const { environment, inference, homes } = await openBench(say);
  const bars: Bar[] = [];
  try {
    for (const part of PARTS.filter((each) => values.only === undefined || values.only === each)) {
      const others = watchContention();
      bars.push(...(await measure(part, homes, inference, environment)));
      say(`(${part}: other work took ${Math.round(others() * 100)} % of the machine)`);
    }
  } finally {
    await inference.close();
  }
  say(`\n${renderBars(bars)}`);
}

await (values.soak ? import('./soak.ts') : main());
