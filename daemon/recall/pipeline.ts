import { createHash } from 'node:crypto';
import { DaemonError } from '#contract/errors.ts';
import type { TraceStep } from '#contract/recall.ts';
import { resolveAll, type Resolve } from '../ports/knob.ts';
import type { ReadableDb } from '../store/db.ts';
import { learningsBySeq, namesOf } from '../store/learnings/learnings.ts';
import { shardsIn } from '../store/search/shards.ts';
import { embed, searchContext } from './context.ts';
import type { Candidate } from './candidate.ts';
import type {
  ArmPort,
  ArmResult,
  ContextOf,
  DirectAnswer,
  NearMiss,
  Outcome,
  Ranked,
  RecallContext,
  RecallPort,
  RecallRequest,
  Stage,
  StageData,
} from './port.ts';
import { RECALL_PORTS, type RecallPorts } from './ports.ts';
import { isWithin } from './within.ts';
import { waitedMs } from '../platform/urgency.ts';

/**
 * How many fused candidates are read from the store, unless more are asked for: none from deeper has ever won. A time
 * that is asked for drops most of them, so then more are read.
 */
const READ_DEPTH = { usual: 30, dated: 50 };
const readDepth = ({ limit, between, question: { range } }: RecallRequest) =>
  Math.max(between || range ? READ_DEPTH.dated : READ_DEPTH.usual, limit);

/** A record of one step. "Why this hit?" reads these, so the explanation cannot drift from the ranking. */
export interface Step {
  stage: Stage;
  port: Pick<RecallPort, 'id' | 'seeds'>;
  on: boolean;
  ms: number;
  says: string;
  knobs: Record<string, unknown>;
  candidates: Candidate[];
  dropped: ReadonlyMap<number, string>;
  nearMisses: readonly NearMiss[];
  notice: string;
}

export interface Recalled {
  answer: DirectAnswer | null;
  hits: Ranked[];
  steps: Step[];
}

/** Answers a request, stage by stage. */
export async function recall(
  asked: RecallRequest,
  resolve: Resolve,
  ports: RecallPorts = RECALL_PORTS,
): Promise<Recalled> {
  const steps = new Steps(resolve);
  let request = asked;
  // Embedding takes longer than all the rest and runs on other threads, so it starts before anything else.
  const byMeaning = ports.arm.some((arm) => arm.evidence === 'meaning' && resolve(arm.switch));
  const embedding = byMeaning ? embed(request) : null;
  for (const port of ports.query)
    request = { ...request, question: await steps.run('query', port, request.question, request) };
  for (const port of ports.answer) {
    const answer = await steps.run('answer', port, null, request);
    if (answer) return { answer, hits: [], steps: steps.taken };
  }
  let { scope } = request;
  for (const port of ports.scope) scope = await steps.run('scope', port, scope, request);
  const arms = new Arms(ports.arm, new Steps(resolve));
  const context: RecallContext = {
    ...searchContext(request, shardsIn(request.db, scope), embedding),
    searchAhead: () => arms.searchAhead(context),
  };

  let hits = await findOrSearch(context, resolve, ports, steps, arms);
  for (const stage of ['gate', 'boost', 'diversify', 'budget'] as const) {
    for (const port of ports[stage]) hits = await steps.run(stage, port, hits, context);
  }
  return { answer: null, hits: hits.slice(0, context.limit), steps: steps.taken };
}

/** Runs ports and records what each did. */
class Steps {
  readonly taken: Step[] = [];
  readonly #resolve: Resolve;

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  async run<S extends Stage>(
    stage: S,
    port: RecallPort<S>,
    input: StageData[S]['input'],
    context: ContextOf<S>,
  ): Promise<StageData[S]['output']> {
    if (performance.now() > (context.deadline ?? Infinity))
      throw new DaemonError('timed-out', 'nobody waits for the answer any more');
    const on = this.#resolve(port.switch);
    const knobs = resolveAll(port.knobs, this.#resolve);
    const start = performance.now();
    const {
      result,
      says,
      dropped = new Map<number, string>(),
      nearMisses = [],
      notice = '',
    }: Outcome<StageData[S]['output']> = on
      ? await port.run(input, context, knobs)
      : { result: port.off(input), says: 'switched off' };
    const ms = performance.now() - start;
    const candidates = candidatesIn(result);
    this.taken.push({ stage, port, on, ms, says, knobs, candidates, dropped, nearMisses, notice });
    return result;
  }
}

/** Searches by every arm, each at most once. Recorded apart: while a cache may still answer, no arm has. */
class Arms {
  readonly steps: Steps;
  readonly #ports: readonly ArmPort[];
  readonly #started = new Map<ArmPort, Promise<Candidate[]>>();

  constructor(ports: readonly ArmPort[], steps: Steps) {
    this.#ports = ports;
    this.steps = steps;
  }

  searchAhead(context: RecallContext): void {
    for (const port of this.#ports)
      if (port.evidence !== 'meaning') this.search(port, context).catch(() => {}); // reported where it is used
  }

  search(port: ArmPort, context: RecallContext): Promise<Candidate[]> {
    const searching = this.#started.get(port) ?? this.steps.run('arm', port, null, context);
    this.#started.set(port, searching);
    return searching;
  }
}

/** The candidates a cache knows, else those a search finds, which the caches then remember. */
async function findOrSearch(
  context: RecallContext,
  resolve: Resolve,
  ports: RecallPorts,
  steps: Steps,
  arms: Arms,
): Promise<Ranked[]> {
  const key = cacheKey(context, resolve, ports);
  for (const port of ports.cache) {
    const known = await steps.run('cache', port, key, context);
    if (known) return read(context, known);
  }
  const hits = await search(context, resolve, ports, steps, arms);
  const candidates = hits.map(({ learning: _, ...candidate }) => candidate);
  for (const port of ports.cache) if (resolve(port.switch)) port.remember(key, candidates, context);
  return hits;
}

/** Arms search side by side; floors, one fuse and the rerank make one list of what they found. */
async function search(
  context: RecallContext,
  resolve: Resolve,
  ports: RecallPorts,
  steps: Steps,
  arms: Arms,
): Promise<Ranked[]> {
  let found: ArmResult[] = await Promise.all(
    ports.arm.map(async (port) => ({
      arm: port.id.slice('arm.'.length),
      evidence: port.evidence,
      strength: port.strength,
      floor: resolve(port.floor),
      weight: port.weight ? resolve(port.weight) : 0,
      candidates: await arms.search(port, context),
    })),
  );
  steps.taken.push(...arms.steps.taken);
  for (const port of ports.floor) found = await steps.run('floor', port, found, context);
  const fuse = ports.fuse.find((port) => resolve(port.switch)) ?? ports.fuse.at(-1);
  let hits = read(context, fuse ? await steps.run('fuse', fuse, found, context) : []);
  for (const port of ports.rerank) hits = await steps.run('rerank', port, hits, context);
  return hits;
}

function candidatesIn(result: unknown): Candidate[] {
  if (!Array.isArray(result)) return [];
  // The result of every stage but query, answer and scope: of arms, or of candidates.
  const [first] = result as Array<Candidate | ArmResult>;
  return first && 'candidates' in first
    ? (result as ArmResult[]).flatMap(({ candidates }) => candidates)
    : (result as Candidate[]);
}

function read(context: RecallContext, candidates: Candidate[]): Ranked[] {
  const { db, between } = context;
  const best = candidates.slice(0, readDepth(context));
  const learnings = learningsBySeq(
    db,
    best.map(({ seq }) => seq),
  );
  return best.flatMap((candidate) => {
    const learning = learnings.get(candidate.seq);
    return learning && (!between || isWithin(learning, between)) ? [{ ...candidate, learning }] : [];
  });
}

/** All that a searched answer depends on besides the question. Later steps run again, so they are no part of it. */
function cacheKey(context: RecallContext, resolve: Resolve, ports: RecallPorts): string {
  const searching: Array<Pick<RecallPort, 'switch' | 'knobs'>> = [
    ...ports.arm,
    ...ports.floor,
    ...ports.fuse,
    ...ports.rerank,
  ];
  return JSON.stringify([
    context.version,
    context.shards,
    fingerprint(context.only),
    readDepth(context),
    context.thorough,
    context.question.range,
    context.deadline === null && waitedMs() === 0, // an answer read in a hurry is not cached for callers who can wait
    searching.map((port) => [resolve(port.switch), resolveAll(port.knobs, resolve)]),
  ]);
}

/** A corpus may have thousands of rows, and every cached answer would carry them in its key. */
const fingerprint = (only: RecallRequest['only']) =>
  only &&
  createHash('sha1')
    .update(JSON.stringify([...only]))
    .digest('hex');

/** The trace as people and the UI read it. */
export function toTrace(db: ReadableDb, steps: Step[]): TraceStep[] {
  const seqs = new Set(
    steps.flatMap(({ candidates, dropped }) => [...candidates.map(({ seq }) => seq), ...dropped.keys()]),
  );
  const names = namesOf(db, [...seqs]);
  const nameOf = (seq: number) => names.get(seq) ?? { id: String(seq), title: '' };
  return steps.map(({ stage, port, on, ms, says, knobs, candidates, dropped }) => ({
    stage,
    port: port.id,
    seed: port.seeds[0] ?? null,
    on,
    ms,
    says,
    knobs,
    candidates: candidates.map(({ seq, score, note }, index) => ({
      ...nameOf(seq),
      rank: index + 1,
      score,
      ...(note ? { note } : {}),
    })),
    dropped: [...dropped].map(([seq, reason]) => ({ ...nameOf(seq), reason })),
  }));
}
