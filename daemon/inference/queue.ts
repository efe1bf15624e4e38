import { DaemonError } from '#contract/errors.ts';

export type Urgency = 'query' | 'document';

interface Job {
  start: () => Promise<void>;
  refuse: (error: DaemonError) => void;
}

const QUIET = 200; // ms without a question, after which documents are nobody's trouble
const PATIENCE = 3_000; // ms a document waits at most for that, however many questions there are

/**
 * One piece of work at a time, somebody's question before the indexing of documents. Sent all at once to the worker they would
 * wait in its mailbox in the order of sending, and a question behind a thousand documents would wait for them all. What runs
 * cannot be called back, so documents also keep away from where the next question is likely: right after the last one.
 */
export function createQueue() {
  const jobs: Record<Urgency, Job[]> = { query: [], document: [] };
  let busy = false;
  let closed = false;
  let [lastQuestion, lastDocument] = [-Infinity, -Infinity];
  let later: NodeJS.Timeout | undefined;

  async function pump(): Promise<void> {
    if (busy) return;
    busy = true;
    for (let job = next(); job; job = next()) await job.start();
    busy = false;
  }

  function next(): Job | undefined {
    const now = performance.now();
    const question = jobs.query.shift();
    if (question) {
      lastQuestion = now;
      return question;
    }
    if (jobs.document.length === 0) return undefined;
    const wait = Math.min(lastQuestion + QUIET, lastDocument + PATIENCE) - now;
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
      // Work that runs cannot be called back; its late answer finds the promise settled and is dropped.
      const job: Job = {
        start: () =>
          work()
            .then(resolve, reject)
            .finally(() => clearTimeout(timer)),
        refuse: reject,
      };
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
    clearTimeout(later);
    for (const job of [...jobs.query.splice(0), ...jobs.document.splice(0)]) job.refuse(stopping());
  }

  return { add, close };
}

const stopping = () => new DaemonError('unreachable', 'inference is stopping');
