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
export class Queue {
  readonly #jobs: Record<Urgency, Job[]> = { hook: [], query: [], document: [] };
  readonly #busy = new Set<Lane>();
  #embedding = false;
  #closed = false;
  #lastQuery = -Infinity;
  #lastDocument = -Infinity;
  #later: NodeJS.Timeout | undefined;

  /** Rejects with `timed-out` when a job has not begun within `beginMs`, or not ended within `timeoutMs`. */
  add<T>(
    urgency: Urgency,
    timeoutMs: number | undefined,
    work: () => Promise<T>,
    lane: Lane = 0,
    beginMs?: number,
  ): Promise<T> {
    if (this.#closed) return Promise.reject(stopping());
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
        this.#jobs[urgency] = this.#jobs[urgency].filter((other) => other !== job);
        for (const each of [timer, crowded]) clearTimeout(each);
        reject(new DaemonError('timed-out', why));
      };
      const after = (ms: number | undefined, why: string) =>
        ms === undefined ? undefined : setTimeout(giveUp(why), ms);
      const timer = after(timeoutMs, `inference did not answer in ${timeoutMs} ms`);
      const crowded = after(beginMs, 'too many others wait for inference');
      this.#jobs[urgency].push(job);
      this.#pump();
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#later);
    for (const job of Object.values(this.#jobs).flatMap((waiting) => waiting.splice(0)))
      job.refuse(stopping());
  }

  #pump(): void {
    for (let job = this.#next(); job; job = this.#next()) void this.#run(job);
  }

  async #run(job: Job): Promise<void> {
    this.#busy.add(job.lane);
    if (job.urgency === 'document') this.#embedding = true;
    await job.start();
    this.#busy.delete(job.lane);
    if (job.urgency === 'document') this.#embedding = false;
    this.#pump();
  }

  #next(): Job | undefined {
    const now = performance.now();
    const query = this.#take('hook') ?? this.#take('query');
    if (query) {
      this.#lastQuery = now;
      return query;
    }
    if (this.#embedding || this.#jobs.document.length === 0) return undefined;
    const wait = Math.min(this.#lastQuery + QUIET, this.#lastDocument + LONGEST_WAIT) - now;
    if (wait > 0) {
      clearTimeout(this.#later);
      this.#later = setTimeout(() => this.#pump(), wait);
      return undefined;
    }
    const document = this.#take('document');
    if (document) this.#lastDocument = now;
    return document;
  }

  /** The first job of this kind whose lane is free. */
  #take(urgency: Urgency): Job | undefined {
    const at = this.#jobs[urgency].findIndex(({ lane }) => !this.#busy.has(lane));
    return at < 0 ? undefined : this.#jobs[urgency].splice(at, 1)[0];
  }
}

const stopping = () => new DaemonError('unreachable', 'inference is stopping');
