import { parentPort, workerData } from 'node:worker_threads';
import { damageIn } from './damage.ts';

// A check reads the whole file, which takes half a second at 10 000 notes, so it runs in a thread of its own.
parentPort?.postMessage(damageIn(workerData as string)); // set by damage.ts
