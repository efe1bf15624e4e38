import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { threadEnd } from './thread-end.ts';

test('a thread that ends when it is asked is waited for', async () => {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads'); parentPort.on('message', () => parentPort.close())`,
    { eval: true },
  );
  worker.postMessage('stop');
  expect(await threadEnd(worker, 30_000)).toBe(true);
});

test('a thread that is busy is left alone, and ends by itself', async () => {
  const held = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads'); Atomics.wait(workerData, 0, 0); parentPort.close()`,
    { eval: true, workerData: held },
  );
  const exited = once(worker, 'exit');
  expect(await threadEnd(worker, 1)).toBe(false);
  Atomics.store(held, 0, 1);
  Atomics.notify(held, 0);
  expect(await exited).toEqual([0]); // a terminated thread ends with 1
});
