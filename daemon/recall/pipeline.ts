import { createHash } from 'node:crypto';
import type { Learning, TraceStep } from '#contract/entities.ts';
import { resolveAll, type Resolve } from '../ports/knob.ts';
import { learningsBySeq, namesOf } from '../store/learnings/learnings.ts';
import { type Scope, shardsIn } from '../store/search/shards.ts';
import { contentTerms } from '../text/tokenise.ts';
import type {
  ArmResult,
  Candidate,
  DirectAnswer,
  Outcome,
  Ranked,
  RecallContext,
  RecallPort,
  Stage,
  StageData,
} from './port.ts';
import { RECALL_PORTS, type RecallPorts } from './ports.ts';

/** How many fused candidates are read from the store, unless more are asked for; what lies deeper has never won. */
const READ_DEPTH = 50;
const readDepth = ({ limit }: RecallContext) => Math.max(READ_DEPTH, limit);

/** What one step did. "Why this hit?" reads these, so the explanation cannot drift from the ranking. */
export interface Step {
  stage: Stage;
  port: Pick<RecallPort, 'id' | 'seeds'>;
  on: boolean;
  ms: number;
  says: string;
  knobs: Record<string, unknown>;
  candidates: Candidate[];
  dropped: ReadonlyMap<number, string>;
}

export interface Recalled {
  answer: DirectAnswer | null;
  hits: Ranked[];
  steps: Step[];
}

export async function recall(
  context: RecallContext,
  scope: Scope,
  resolve: Resolve,
  version: string,
  ports: RecallPorts = RECALL_PORTS,
): Promise<Recalled> {
  const steps: Step[] = [];

  async function run<S extends Stage>(
    stage: S,
    port: RecallPort<S>,
    input: StageData[S]['input'],
  ): Promise<StageData[S]['output']> {
    const on = resolve(port.switch);
    const knobs = resolveAll(port.knobs, resolve);
    const start = performance.now();
    const outcome: Outcome<StageData[S]['output']> = on
      ? await port.run(input, context, knobs)
      : { result: port.off(input), says: 'switched off' };
    const candidates = candidatesIn(outcome.result);
    steps.push({
      stage,
      port,
      on,
      ms: performance.now() - start,
      says: outcome.says,
      knobs,
      candidates,
      dropped: outcome.dropped ?? new Map(),
    });
    return outcome.result;
  }

  for (const port of ports.query) context.question = await run('query', port, context.question);
  for (const port of ports.answer) {
    const answer = await run('answer', port, null);
    if (answer) return { answer, hits: [], steps };
  }
  let where = scope;
  for (const port of ports.scope) where = await run('scope', port, where);
  context.shards = shardsIn(context.db, where);
  context.cacheKey = JSON.stringify([
    version,
    context.shards,
    fingerprint(context.only),
    readDepth(context),
    context.question.range,
    settingsOf(ports, resolve),
  ]);

  let hits: Ranked[] | null = null;
  for (const port of ports.cache) {
    const known = await run('cache', port, null);
    if (known) hits = read(context, known);
  }
  if (!hits) {
    const arms = await Promise.all(
      ports.arm.map(async (port) => ({
        arm: port.id.slice('arm.'.length),
        evidence: port.evidence,
        strength: port.strength,
        floor: resolve(port.floor),
        weight: port.weight ? resolve(port.weight) : 0,
        candidates: await run('arm', port, null),
      })),
    );
    let kept: ArmResult[] = arms;
    for (const port of ports.floor) kept = await run('floor', port, kept);
    const fuse = ports.fuse.find((port) => resolve(port.switch)) ?? ports.fuse.at(-1);
    hits = read(context, fuse ? await run('fuse', fuse, kept) : []);
    for (const port of ports.rerank) hits = await run('rerank', port, hits);
    // With the cache off nobody would ask for it again, and remembering waits for every embedder.
    if (ports.cache.some((port) => resolve(port.switch))) await remember(context, hits);
  }
  for (const stage of ['gate', 'boost', 'diversify', 'budget'] as const) {
    for (const port of ports[stage]) hits = await run(stage, port, hits);
  }
  return { answer: null, hits: hits.slice(0, context.limit), steps };
}

function candidatesIn(result: unknown): Candidate[] {
  if (!Array.isArray(result)) return [];
  const list = result as Array<Candidate | { candidates: Candidate[] }>; // what every stage but query, answer and scope gives
  return list.flatMap((entry) => ('candidates' in entry ? entry.candidates : [entry]));
}

/** A corpus may have thousands of rows, and every cached answer would carry them in its key. */
const fingerprint = (only: RecallContext['only']) =>
  only &&
  createHash('sha1')
    .update(JSON.stringify([...only]))
    .digest('hex');

function read(context: RecallContext, candidates: Candidate[]): Ranked[] {
  const { db, between } = context;
  const best = candidates.slice(0, readDepth(context));
  const learnings = learningsBySeq(
    db,
    best.map(({ seq }) => seq),
  );
  return best.flatMap((candidate) => {
    const learning = learnings.get(candidate.seq);
    return learning && isWithin(learning, between) ? [{ ...candidate, learning }] : [];
  });
}

function isWithin({ createdAt, updatedAt }: Learning, between: RecallContext['between']): boolean {
  return !between || [createdAt, updatedAt].some((at) => at >= between.start && at <= between.end);
}

/** What the cached part of the pipeline was set to; what comes after it is computed anew and may differ. */
function settingsOf(ports: RecallPorts, resolve: Resolve): unknown {
  const cached: Array<Pick<RecallPort, 'switch' | 'knobs'>> = [
    ...ports.arm,
    ...ports.floor,
    ...ports.fuse,
    ...ports.rerank,
  ];
  return cached.map((port) => [resolve(port.switch), resolveAll(port.knobs, resolve)]);
}

async function remember(
  { cache, cacheKey, question, vectors, now }: RecallContext,
  hits: Ranked[],
): Promise<void> {
  const candidates = hits.map(({ learning: _, ...candidate }) => candidate);
  cache.put({
    text: question.text,
    terms: contentTerms(question.text),
    vectors: await vectors(),
    key: cacheKey,
    at: now(),
    candidates,
  });
}

/** The trace as people and the UI read it. */
export function toTrace(context: RecallContext, steps: Step[]): TraceStep[] {
  const seqs = new Set(
    steps.flatMap(({ candidates, dropped }) => [...candidates.map(({ seq }) => seq), ...dropped.keys()]),
  );
  const names = namesOf(context.db, [...seqs]);
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
