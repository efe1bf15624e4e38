// Loaded by the load bench into the daemon: on a signal, it reports how long the main thread kept everybody waiting since the last.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION = 2; // ms; subtracted, because a timer that fires on time is counted with it

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  process.on('SIGUSR2', () => {
    const ms = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION);
    const blocked = { longestMs: ms(delay.max), p99Ms: ms(delay.percentile(99)) };
    writeFileSync(process.env['REFLECT_LOOP_PROBE'] ?? '', JSON.stringify(blocked));
    delay.reset();
  });
}
