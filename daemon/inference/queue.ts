import { DaemonError } from '#contract/errors.ts';

export type Urgency = 'query' | 'document';

interface Job {
  start: () => Promise<void>;
  refuse: (error: DaemonError) => void;
}

/**
 * One piece of work at a time, somebody's question before the indexing of documents. Sent all at once to the worker they would
 * wait in its mailbox in the order of sending, and a question behind a thousand documents would wait for them all.
 */
export function createQueue() {
  const jobs: Record<Urgency, Job[]> = { query: [], document: [] };
  let busy = false;
  let closed = false;

  async function pump(): Promise<void> {
    if (busy) return;
    busy = true;
    for (let job = next(); job; job = next()) await job.start();
    busy = false;
  }

  const next = () => jobs.query.shift() ?? jobs.document.shift();

  function add<T>(urgency: Urgency, timeoutMs: number | undefined, work: () => Promise<T>): Promise<T> {
    if (closed) return Promise.reject(stopping());
    return new Promise<T>((resolve, reject) => {
      // Work that runs cannot be called back; its late answer finds the promise settled and is dropped.
      const job: Job = { start: () => work().then(resolve, reject).finally(() => clearTimeout(timer)), refuse: reject };
      const giveUp = () => {
        jobs[urgency] = jobs[urgency].filter((other) => other !== job);
        reject(new DaemonError('timed-out', `inference did not answer in ${timeoutMs} ms`));
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
      jobs[urgency].push(job);
      void pump();
    });
  }

  function close(): void {
    closed = true;
    for (const job of [...jobs.query.splice(0), ...jobs.document.splice(0)]) job.refuse(stopping());
  }

  return { add, close };
}

const stopping = () => new DaemonError('unreachable', 'inference is stopping');
