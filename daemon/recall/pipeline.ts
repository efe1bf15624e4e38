import type { TraceStep } from '#contract/entities.ts';
import { resolveAll, type Resolve } from '../ports/knob.ts';
import { learningsBySeq, namesOf } from '../store/learnings.ts';
import { type Scope, shardsIn } from '../store/shards.ts';
import type { Candidate, Outcome, Ranked, RecallContext, RecallPort, Stage, StageData } from './port.ts';
import { RECALL_PORTS } from './ports.ts';

/** How many fused candidates are read from the store; what lies deeper has never won. */
const READ_DEPTH = 50;

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

export async function recall(context: RecallContext, scope: Scope, resolve: Resolve): Promise<{ hits: Ranked[]; steps: Step[] }> {
  const steps: Step[] = [];

  async function run<S extends Stage>(stage: S, port: RecallPort<S>, input: StageData[S]['input']): Promise<StageData[S]['output']> {
    const on = resolve(port.switch);
    const knobs = resolveAll(port.knobs, resolve);
    const start = performance.now();
    const outcome: Outcome<StageData[S]['output']> = on ? await port.run(input, context, knobs) : { result: port.off(input), says: 'switched off' };
    const candidates = Array.isArray(outcome.result) ? (outcome.result as Candidate[]) : [];
    steps.push({ stage, port, on, ms: performance.now() - start, says: outcome.says, knobs, candidates, dropped: outcome.dropped ?? new Map() });
    return outcome.result;
  }

  let where = scope;
  for (const port of RECALL_PORTS.scope) where = await run('scope', port, where);
  context.shards = shardsIn(context.db, where);

  const arms = await Promise.all(RECALL_PORTS.arm.map(async (port) => ({ arm: port.id.slice('arm.'.length), candidates: await run('arm', port, null) })));
  let candidates: Candidate[] = [];
  for (const port of RECALL_PORTS.fuse) candidates = await run('fuse', port, arms);

  let hits = read(context, candidates);
  for (const stage of ['rerank', 'budget'] as const) {
    for (const port of RECALL_PORTS[stage]) hits = await run(stage, port, hits);
  }
  return { hits: hits.slice(0, context.limit), steps };
}

function read({ db }: RecallContext, candidates: Candidate[]): Ranked[] {
  const best = candidates.slice(0, READ_DEPTH);
  const learnings = learningsBySeq(db, best.map(({ seq }) => seq));
  return best.flatMap((candidate) => {
    const learning = learnings.get(candidate.seq);
    return learning ? [{ ...candidate, learning }] : [];
  });
}

/** The trace as people and the UI read it. */
export function toTrace(context: RecallContext, steps: Step[]): TraceStep[] {
  const seqs = new Set(steps.flatMap(({ candidates, dropped }) => [...candidates.map(({ seq }) => seq), ...dropped.keys()]));
  const names = namesOf(context.db, [...seqs]);
  const nameOf = (seq: number) => names.get(seq) ?? { id: String(seq), title: '' };
  return steps.map(({ stage, port, on, ms, says, knobs, candidates, dropped }) => ({
    stage, port: port.id, seed: port.seeds[0] ?? null, on, ms, says, knobs,
    candidates: candidates.map(({ seq, score, note }, index) => ({ ...nameOf(seq), rank: index + 1, score, ...(note ? { note } : {}) })),
    dropped: [...dropped].map(([seq, reason]) => ({ ...nameOf(seq), reason })),
  }));
}
