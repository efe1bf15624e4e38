import { DaemonError } from '#contract/errors.ts';

/** An agent waits for a hook, a person for a query; no one waits for a document. */
export type Urgency = 'hook' | 'query' | 'document';

interface Job {
  urgency: Urgency;
  lane: Lane;
  start: () => Promise<void>;
  refuse: (error: DaemonError) => void;
}

const QUIET = 200; // ms without a query, after which documents delay no one
const LONGEST_WAIT = 3_000; // ms that a document waits for that, however many queries there are

/** The thread a job runs on. Each runs one job at a time. */
export type Lane = 0 | 1;

/**
 * Runs one job at a time on each lane, hooks before queries and queries before documents, and one document at a time
 * over all lanes: back-filling takes one core, not two. If all were posted to the workers at once, they would take them
 * in that order, and a query behind a thousand documents would wait for them all. A running job cannot be cancelled, so
 * documents also wait a moment after a query, when the next one is most likely.
 */
export function createQueue() {
  const jobs: Record<Urgency, Job[]> = { hook: [], query: [], document: [] };
  const busy = new Set<Lane>();
  let embedding = false;
  let closed = false;
  let [lastQuery, lastDocument] = [-Infinity, -Infinity];
  let later: NodeJS.Timeout | undefined;

  function pump(): void {
    for (let job = next(); job; job = next()) void run(job);
  }

  async function run(job: Job): Promise<void> {
    busy.add(job.lane);
    if (job.urgency === 'document') embedding = true;
    await job.start();
    busy.delete(job.lane);
    if (job.urgency === 'document') embedding = false;
    pump();
  }

  function next(): Job | undefined {
    const now = performance.now();
    const query = take('hook') ?? take('query');
    if (query) {
      lastQuery = now;
      return query;
    }
    if (embedding || jobs.document.length === 0) return undefined;
    const wait = Math.min(lastQuery + QUIET, lastDocument + LONGEST_WAIT) - now;
    if (wait > 0) {
      clearTimeout(later);
      later = setTimeout(pump, wait);
      return undefined;
    }
    const document = take('document');
    if (document) lastDocument = now;
    return document;
  }

  /** The first job of this kind whose lane is free. */
  function take(urgency: Urgency): Job | undefined {
    const at = jobs[urgency].findIndex(({ lane }) => !busy.has(lane));
    return at < 0 ? undefined : jobs[urgency].splice(at, 1)[0];
  }

  /** Rejects with `timed-out` when a job has not begun within `beginMs`, or not ended within `timeoutMs`. */
  function add<T>(
    urgency: Urgency,
    timeoutMs: number | undefined,
    work: () => Promise<T>,
    lane: Lane = 0,
    beginMs?: number,
  ): Promise<T> {
    if (closed) return Promise.reject(stopping());
    return new Promise<T>((resolve, reject) => {
      // A running job cannot be cancelled; its late answer finds the promise settled and is dropped.
      const job: Job = {
        urgency,
        lane,
        start: () => {
          clearTimeout(crowded);
          return work()
            .then(resolve, reject)
            .finally(() => clearTimeout(timer));
        },
        refuse: reject,
      };
      const giveUp = (why: string) => () => {
        jobs[urgency] = jobs[urgency].filter((other) => other !== job);
        for (const each of [timer, crowded]) clearTimeout(each);
        reject(new DaemonError('timed-out', why));
      };
      const after = (ms: number | undefined, why: string) =>
        ms === undefined ? undefined : setTimeout(giveUp(why), ms);
      const timer = after(timeoutMs, `inference did not answer in ${timeoutMs} ms`);
      const crowded = after(beginMs, 'too many others wait for inference');
      jobs[urgency].push(job);
      pump();
    });
  }

  function close(): void {
    closed = true;
    clearTimeout(later);
    for (const job of Object.values(jobs).flatMap((waiting) => waiting.splice(0))) job.refuse(stopping());
  }

  return { add, close };
}

const stopping = () => new DaemonError('unreachable', 'inference is stopping');
