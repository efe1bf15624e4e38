import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sleep, until } from './daemon-process.ts';

/** A script loaded into a daemon that was started with this environment; on a signal it writes what it has measured. */
export interface Probe<T> {
  environment: { NODE_OPTIONS: string; REFLECT_PROBE: string };
  look(pid: number): Promise<T>;
}

export function probeWith<T>(script: string, folder: string): Probe<T> {
  const file = join(folder, 'probe.json');
  return {
    environment: {
      NODE_OPTIONS: `--import ${new URL(script, import.meta.url).href}`,
      REFLECT_PROBE: file,
    },
    look: async (pid) => {
      rmSync(file, { force: true });
      process.kill(pid, 'SIGUSR2');
      await until('the probe has answered', () => existsSync(file), { everyMs: 20, withinMs: 120_000 });
      await sleep(50); // it is being written
      return JSON.parse(readFileSync(file, 'utf8')) as T; // by our own probe
    },
  };
}

export interface MemoryLeft {
  rssMb: number;
  externalMb: number;
  heaps: { thread: number; heapMb: number; reservedMb: number }[];
}

/** Makes a daemon collect garbage and report its memory. */
export const memoryProbe = (folder: string) => probeWith<MemoryLeft>('./memory-probe.ts', folder);
