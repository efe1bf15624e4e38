// Loaded into the daemon by the soak, in each of its threads: told by a signal, they collect their garbage and say what is left.
import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const threads = new BroadcastChannel('memory-probe');
const ANSWER_WITHIN = 500; // ms

interface Left {
  thread: number;
  heapMb: number;
}

function left(): Left {
  collect();
  return { thread: threadId, heapMb: process.memoryUsage().heapUsed / 2 ** 20 };
}

if (isMainThread) {
  const file = process.env.REFLECT_MEMORY_PROBE ?? '';
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
