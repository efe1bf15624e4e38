import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const TICK = 10; // ms; USER_HZ is 100 on every Linux that Node supports
const KIB = 1024;

export interface ProcessUse {
  cpuMs: number;
  rssMb: number;
}

/** Processor time and memory of a process, read from /proc and so only on Linux. */
export function useOf(pid: number | 'self'): ProcessUse {
  // The name in brackets may contain spaces; the fields after it do not.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const rssKib = Number(
    readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+)/m)?.[1] ?? Number.NaN,
  );
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK, rssMb: rssKib / KIB };
}

/** Busy time of the machine since its start, over all cores. */
function busyMs(): number {
  const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = ticks;
  return (user + nice + system + irq + softIrq) * TICK;
}

/** Our processor time, including children that have exited and those that still run. */
function ownMs(children: number[]): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (
    [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0) * TICK +
    children.reduce((sum, pid) => sum + useOf(pid).cpuMs, 0)
  );
}

/** Measures the share of all cores that other processes used meanwhile, which a reader must know to trust a figure. */
export function watchContention(children: number[] = []): () => number {
  const before = { at: performance.now(), busy: busyMs(), own: ownMs(children) };
  return () => {
    const others = busyMs() - before.busy - (ownMs(children) - before.own);
    return Math.max(0, others / ((performance.now() - before.at) * availableParallelism()));
  };
}
