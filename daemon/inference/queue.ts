import { DaemonError } from '#contract/errors.ts';

export type Urgency = 'query' | 'document';

interface Job {
  start: () => Promise<void>;
  refuse: (error: DaemonError) => void;
}

const QUIET = 200; // ms without a query, after which documents delay nobody
const LONGEST_WAIT = 3_000; // ms that a document waits for that, however many queries there are

/**
 * Runs one job at a time, queries before documents. If all were posted to the worker at once, it would take them in that
 * order, and a query behind a thousand documents would wait for them all. A running job cannot be cancelled, so documents
 * also wait a moment after a query, when the next one is most likely.
 */
export function createQueue() {
  const jobs: Record<Urgency, Job[]> = { query: [], document: [] };
  let busy = false;
  let closed = false;
  let [lastQuery, lastDocument] = [-Infinity, -Infinity];
  let later: NodeJS.Timeout | undefined;

  async function pump(): Promise<void> {
    if (busy) return;
    busy = true;
    for (let job = next(); job; job = next()) await job.start();
    busy = false;
  }

  function next(): Job | undefined {
    const now = performance.now();
    const query = jobs.query.shift();
    if (query) {
      lastQuery = now;
      return query;
    }
    if (jobs.document.length === 0) return undefined;
    const wait = Math.min(lastQuery + QUIET, lastDocument + LONGEST_WAIT) - now;
    if (wait > 0) {
      clearTimeout(later);
      later = setTimeout(() => void pump(), wait);
      return undefined;
    }
    lastDocument = now;
    return jobs.document.shift();
  }

  function add<T>(urgency: Urgency, timeoutMs: number | undefined, work: () => Promise<T>): Promise<T> {
    if (closed) return Promise.reject(stopping());
    return new Promise<T>((resolve, reject) => {
      // A running job cannot be cancelled; its late answer finds the promise settled and is dropped.
      const job: Job = {
        start: () =>
          work()
            .then(resolve, reject)
            .finally(() => clearTimeout(timer)),
        refuse: reject,
      };
      const timeOut = () => {
        jobs[urgency] = jobs[urgency].filter((other) => other !== job);
        reject(new DaemonError('timed-out', `inference did not answer in ${timeoutMs} ms`));
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(timeOut, timeoutMs);
      jobs[urgency].push(job);
      void pump();
    });
  }

  function close(): void {
    closed = true;
    clearTimeout(later);
    for (const job of [...jobs.query.splice(0), ...jobs.document.splice(0)]) job.refuse(stopping());
  }

  return { add, close };
}

const stopping = () => new DaemonError('unreachable', 'inference is stopping');
