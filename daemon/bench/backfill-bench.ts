import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { startBuilt, type RunningDaemon, sleep } from './daemon-process.ts';
import { makeQuestions } from './corpus.ts';
import type { Homes } from './home.ts';
import { useOf, watchContention } from './machine.ts';
import { percentile, timed } from './statistics.ts';
import { type TranscriptSizes, writeTranscripts } from './transcripts.ts';

const IDLE_QUESTIONS = 100;
const POLL = 50; // ms
const MB = 1_000_000;

export interface BackfillFigures {
  megabytes: number;
  seconds: number;
  megabytesPerSecond: number;
  idleP95: number;
  duringP95: number;
  ratio: number;
  rssBeforeMb: number;
  rssPeakMb: number;
  contention: number;
}

/** A first start on a machine full of sessions: reading speed, and how much it slows other work. */
export async function benchBackfill(
  homes: Homes,
  environment: NodeJS.ProcessEnv,
  size: number,
  sizes: TranscriptSizes,
): Promise<BackfillFigures> {
  const paths = await homes.copy(size, 'backfill');
  const prepared = join(homes.folder('transcripts'), 'projects');
  const bytes = writeTranscripts(join(prepared, 'bench'), sizes);
  const daemon = await startBuilt(paths, environment);
  const questions = makeQuestions(5_000, size + 11)[Symbol.iterator]();
  const ask = () =>
    timed(() =>
      daemon.search(questions.next().value ?? '', {
        whileBusy: true,
        knobs: { RECALL_CROSS_ENCODER: false },
      }),
    );
  try {
    for (let warm = 0; warm < 10; warm++) await ask();
    const idle: number[] = [];
    for (let asked = 0; asked < IDLE_QUESTIONS; asked++) idle.push(await ask());
    const rssBeforeMb = useOf(daemon.pid).rssMb;
    const others = watchContention([daemon.pid]);
    mkdirSync(join(paths.home, '.claude'), { recursive: true });
    renameSync(prepared, join(paths.home, '.claude', 'projects'));
    const { seconds, during, rssPeakMb } = await watchBackfill(daemon, bytes, ask);
    const [idleP95, duringP95] = [percentile(idle, 0.95), percentile(during, 0.95)];
    return {
      megabytes: bytes / MB,
      seconds,
      megabytesPerSecond: bytes / MB / seconds,
      idleP95,
      duringP95,
      ratio: duringP95 / idleP95,
      rssBeforeMb,
      rssPeakMb,
      contention: others(),
    };
  } finally {
    await daemon.stop();
  }
}

async function watchBackfill(daemon: RunningDaemon, bytes: number, ask: () => Promise<number>) {
  const during: number[] = [];
  let [started, rssPeakMb] = [0, 0];
  for (;;) {
    const { progress, sources } = await daemon.status();
    if (progress.bytesTotal > 0) started ||= performance.now();
    rssPeakMb = Math.max(rssPeakMb, useOf(daemon.pid).rssMb);
    if (sources.reduce((sum, { bytesRead }) => sum + bytesRead, 0) >= bytes)
      return { seconds: (performance.now() - started) / 1_000, during, rssPeakMb };
    if (started > 0) during.push(await ask());
    await sleep(POLL);
  }
}
