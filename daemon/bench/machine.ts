import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const TICK = 10; // ms; USER_HZ is 100 on every Linux Node runs on
const KIB = 1024;

export interface ProcessUse {
  cpuMs: number;
  rssMb: number;
}

/** What a process has used so far; from /proc, so only on Linux. */
export function useOf(pid: number | 'self'): ProcessUse {
  // The name, in brackets, may hold spaces; what follows it does not.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const rssKib = Number(
    readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+)/m)?.[1] ?? Number.NaN,
  );
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK, rssMb: rssKib / KIB };
}

/** Busy time of the whole machine since it started, over all cores. */
function busyMs(): number {
  const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = ticks;
  return (user + nice + system + irq + softIrq) * TICK;
}

/** Own processor time, including that of children that have ended and of those that still run. */
function ownMs(children: number[]): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (
    [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0) * TICK +
    children.reduce((sum, pid) => sum + useOf(pid).cpuMs, 0)
  );
}

/** Tells afterwards which share of all cores others used meanwhile: what a person must know before believing a figure. */
export function watchContention(children: number[] = []): () => number {
  const before = { at: performance.now(), busy: busyMs(), own: ownMs(children) };
  return () => {
    const others = busyMs() - before.busy - (ownMs(children) - before.own);
    return Math.max(0, others / ((performance.now() - before.at) * availableParallelism()));
  };
}
