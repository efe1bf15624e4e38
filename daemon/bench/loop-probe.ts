// Loaded by the load bench into the daemon: on a signal, it reports how long the main thread kept everybody waiting since the last,
// and how long without the time in which other processes had its core.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const EVERY = 2; // ms

/** Milliseconds in which the main thread was ready to run and had no core. */
const waitedMs = () =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;

if (isMainThread) {
  let [longestMs, ownMs] = [0, 0];
  let [at, waited] = [performance.now(), waitedMs()];
  setInterval(() => {
    const [now, waitedBy] = [performance.now(), waitedMs()];
    const late = now - at - EVERY;
    longestMs = Math.max(longestMs, late);
    ownMs = Math.max(ownMs, late - (waitedBy - waited));
    [at, waited] = [now, waitedBy];
  }, EVERY).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(process.env['REFLECT_LOOP_PROBE'] ?? '', JSON.stringify({ longestMs, ownMs }));
    [longestMs, ownMs] = [0, 0];
  });
}
