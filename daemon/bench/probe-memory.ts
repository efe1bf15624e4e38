import { existsSync, readFileSync, rmSync } from 'node:fs';
import { sleep } from './daemon-process.ts';

export interface Probed {
  rssMb: number;
  externalMb: number;
  heaps: { thread: number; heapMb: number; reservedMb: number }[];
}

/** Makes a daemon that was started with this environment collect garbage and report its memory. */
export class MemoryProbe {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  get environment(): { NODE_OPTIONS: string; REFLECT_MEMORY_PROBE: string } {
    const loaded = new URL('./memory-probe.ts', import.meta.url).href;
    return { NODE_OPTIONS: `--import ${loaded}`, REFLECT_MEMORY_PROBE: this.#file };
  }

  async look(pid: number): Promise<Probed> {
    rmSync(this.#file, { force: true });
    process.kill(pid, 'SIGUSR2');
    for (let waited = 0; waited < 120_000 && !existsSync(this.#file); waited += 50) await sleep(50);
    await sleep(50); // it is being written
    return JSON.parse(readFileSync(this.#file, 'utf8')) as Probed; // by our own probe
  }
}
