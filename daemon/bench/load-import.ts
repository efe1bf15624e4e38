import { join } from 'node:path';
import { exportArchive } from '../archive/export.ts';
import type { Inference } from '../inference/inference.ts';
import type { Bar } from './bars.ts';
import { makeQuestions } from './corpus.ts';
import { openClient, type RunningDaemon, sleep, startBuilt } from './daemon-process.ts';
import { type Homes, openHome } from './home.ts';
import { useOf } from './machine.ts';
import { type Probe, probeWith } from './probe.ts';
import { median, timed } from './statistics.ts';

const PING_EVERY = 10; // ms
const RECALL_EVERY = 250; // ms; more would take the cores that the import is measured on

/** Ways to take in the same archive: as somebody else's, as one's own, and in place of everything here. */
const WAYS = [
  { name: 'import --merge', mode: 'merge', mine: false },
  { name: 'import --merge --mine', mode: 'merge', mine: true },
  { name: 'import --force --mine', mode: 'force', mine: true },
] as const;

/** An archive of that many notes. */
export async function writeArchive(homes: Homes, inference: Inference, size: number): Promise<string> {
  const large = await homes.filled(size);
  const home = openHome(large, inference);
  const archive = join(homes.folder('archive'), 'load.tar');
  const parts = {
    store: { db: home.db, documents: large.documents, now: () => Date.now() },
    staging: large.staging,
    backups: large.backups,
    keys: large.keys,
    signal: new AbortController().signal,
  };
  await exportArchive(parts, archive, { replace: true, report: () => {} });
  home.close();
  return archive;
}

/** Imports it in every way, each into a home and a daemon of its own, while pings and recalls go on. */
export async function benchImports(
  homes: Homes,
  environment: NodeJS.ProcessEnv,
  { archive, size }: { archive: string; size: number },
  say: (line: string) => void,
): Promise<Bar[]> {
  const bars: Bar[] = [];
  for (const [index, way] of WAYS.entries()) {
    const probe = probeWith<Blocked>('./loop-probe.ts', homes.folder(`import-${index}`));
    const daemon = await startBuilt(await homes.copy(size, `import-${index}`), {
      ...environment,
      ...probe.environment,
    });
    try {
      const { seconds, pings, recalls, added, rssMb } = await importInto(daemon, archive, way, probe);
      const { longestMs, ownMs, cpuMs } = await probe.look(daemon.pid);
      say(
        `${way.name}: ${added} added in ${seconds.toFixed(1)} s; main thread blocked ${longestMs.toFixed(0)} ms at most, ${ownMs.toFixed(0)} without the time that other processes had its core, ${cpuMs.toFixed(0)} computing; pings p50 ${median(pings).toFixed(1)} ms, longest ${Math.max(...pings).toFixed(0)}; recalls p50 ${median(recalls).toFixed(0)} ms, longest ${Math.max(...recalls).toFixed(0)}; memory ${Math.round(rssMb)} MB`,
      );
      bars.push(
        { what: `${way.name}, total`, limit: 60, unit: 's', measured: seconds },
        { what: `${way.name}, longest block`, limit: 50, unit: 'ms', measured: ownMs },
      );
    } finally {
      await daemon.stop();
    }
  }
  return bars;
}

async function importInto(
  daemon: RunningDaemon,
  archive: string,
  { mode, mine }: (typeof WAYS)[number],
  probe: Probe<Blocked>,
) {
  const open = () => openClient(daemon.paths);
  const clients = [await open(), await open(), await open()] as const;
  const [{ call: importing }, { call: pinging }, { call: recalling }] = clients;
  const [pings, recalls]: [number[], number[]] = [[], []];
  for (const query of makeQuestions(10, 3)) await recalling('recall.search', { query, global: true });
  await probe.look(daemon.pid); // loading the models does not count
  let [isDone, rssMb] = [false, 0];
  const start = performance.now();
  const imported = importing('archive.import', { path: archive, mode, mine }).finally(() => (isDone = true));
  const asking = async (all: number[], pause: number, ask: () => Promise<unknown>) => {
    while (!isDone) {
      all.push(await timed(ask));
      rssMb = Math.max(rssMb, useOf(daemon.pid).rssMb);
      await sleep(pause);
    }
  };
  const questions = makeQuestions(5_000, 17)[Symbol.iterator]();
  await Promise.all([
    asking(pings, PING_EVERY, () => pinging('slots.list', { project: '' })),
    asking(recalls, RECALL_EVERY, () =>
      recalling('recall.search', { query: questions.next().value ?? '', global: true }),
    ),
  ]);
  const { added } = await imported;
  const seconds = (performance.now() - start) / 1_000;
  for (const { close } of clients) close();
  return { seconds, pings, recalls, added: added.total, rssMb };
}

/** How long the daemon's main thread was blocked since it was last asked. */
interface Blocked {
  longestMs: number;
  ownMs: number;
  cpuMs: number;
}
