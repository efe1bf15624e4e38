// Loaded by the soak into each thread of the daemon: on a signal, each thread collects garbage and reports its memory.
import { writeFileSync } from 'node:fs';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const threads = new BroadcastChannel('memory-probe');
const ANSWER_WITHIN = 500; // ms

interface Left {
  thread: number;
  heapMb: number;
  /** Memory that V8 reserves for the next burst; its young generation grows with the load and shrinks when idle. */
  reservedMb: number;
}

function left(): Left {
  collect();
  const { used_heap_size: used, total_physical_size: physical } = getHeapStatistics();
  return { thread: threadId, heapMb: used / 2 ** 20, reservedMb: (physical - used) / 2 ** 20 };
}

if (isMainThread) {
  const file = process.env['REFLECT_PROBE'] ?? '';
  process.on('SIGUSR2', () => {
    const heaps = [left()];
    threads.onmessage = ({ data }) => void heaps.push(data as Left);
    threads.postMessage('collect');
    setTimeout(() => {
      const { rss, external } = process.memoryUsage();
      writeFileSync(file, JSON.stringify({ rssMb: rss / 2 ** 20, externalMb: external / 2 ** 20, heaps }));
    }, ANSWER_WITHIN);
  });
} else {
  threads.onmessage = ({ data }) => data === 'collect' && threads.postMessage(left());
}
threads.unref();
