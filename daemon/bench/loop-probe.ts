// Loaded by the load bench into the daemon: on a signal, it reports how long the main thread kept everybody waiting
// since the last, how long without the time in which other processes had its core, and how long it computed at a
// stretch.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const EVERY = 2; // ms

/** Milliseconds in which the main thread was ready to run and had no core. */
const waitedMs = () =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;

const busyMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

if (isMainThread) {
  let [longestMs, ownMs, cpuMs] = [0, 0, 0];
  let [at, waited, busy] = [performance.now(), waitedMs(), busyMs()];
  setInterval(() => {
    const [now, waitedBy, busyBy] = [performance.now(), waitedMs(), busyMs()];
    const late = now - at - EVERY;
    longestMs = Math.max(longestMs, late);
    ownMs = Math.max(ownMs, late - (waitedBy - waited));
    cpuMs = Math.max(cpuMs, busyBy - busy);
    [at, waited, busy] = [now, waitedBy, busyBy];
  }, EVERY).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(process.env['REFLECT_PROBE'] ?? '', JSON.stringify({ longestMs, ownMs, cpuMs }));
    [longestMs, ownMs, cpuMs] = [0, 0, 0];
  });
}
