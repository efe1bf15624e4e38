import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY = 5_000; // ms
const QUIET = 0.02; // share of the time in which this thread worked
const BURST = 200; // ms of work that leave something worth collecting

/**
 * Gives memory back once a burst of work is over, such as a start, and nobody asks for anything: V8 keeps what the
 * burst needed, over a hundred megabytes at 10 000 learnings, and collects it only when more is needed. Returns how to
 * stop.
 */
export function restWhenQuiet(release: () => void): () => void {
  const collect = collector();
  let [before, workedMs] = [performance.eventLoopUtilization(), BURST]; // the start is a burst
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { active, utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    workedMs += active;
    if (utilization > QUIET || workedMs < BURST) return;
    workedMs = 0;
    release();
    collect();
    before = performance.eventLoopUtilization(); // this was no burst
  }, LOOK_EVERY).unref();
  return () => clearInterval(timer);
}

/** V8's own answer to low memory. Node offers it only behind a flag, which may be set at any time. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  return () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
