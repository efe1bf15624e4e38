import type { Learning } from '#contract/entities.ts';
import { sampleLive } from '../store/learnings/learnings.ts';
import { coverage } from '../text/similarity.ts';
import { without } from '../ports/overrides.ts';
import { recentAnswers } from './cache/recent-answers.ts';
import { RECALL_PORTS } from './ports.ts';
import { answer, type RecallParts } from './recall.ts';
import { crossEncoder } from './rerank/cross-encoder.ts';

const SAMPLE = 40;
const LOW = 0.1; // the share of right answers a floor may put at risk

/** How strongly each arm found one sampled note for a question it is known to answer. */
interface Probe {
  query: string;
  strengths: Record<string, number>;
}

export interface Calibration {
  sampled: number;
  /** Proposed values, by the name of the setting. */
  proposed: Record<string, number>;
  /** Effect of the proposal on the sampled questions. */
  effect: { candidatesBefore: number; candidatesAfter: number; answersBefore: number; answersAfter: number };
  toml: string;
}

/** Calibration recalls without the cache and without the slowest step. */
const UNCACHED = without(recentAnswers, crossEncoder);

/** Asks notes of the live knowledge base about themselves and proposes floors that nine of ten right answers clear. */
export async function calibrate(parts: RecallParts): Promise<Calibration> {
  const asked = sampleLive(parts.db, SAMPLE).flatMap((learning) => {
    const query = questionFor(learning);
    return query ? [{ learning, query }] : [];
  });
  const probes: Probe[] = [];
  for (const { learning, query } of asked) probes.push(await probe(parts, learning, query));
  const proposed = Object.fromEntries(
    RECALL_PORTS.arm.flatMap(({ id, floor }) => {
      const least = lowest(probes.flatMap(({ strengths }) => strengths[id] ?? []));
      return least === null ? [] : [[floor.name, least]];
    }),
  );
  const before = await count(parts, asked, {});
  const after = await count(parts, asked, proposed);
  return {
    sampled: asked.length,
    proposed,
    effect: {
      candidatesBefore: before.candidates,
      candidatesAfter: after.candidates,
      answersBefore: before.answers,
      answersAfter: after.answers,
    },
    toml: Object.entries(proposed)
      .map(([knob, value]) => `${knob} = ${value}`)
      .join('\n'),
  };
}

/** The question a later session would ask before it knows the answer: the problem, not the title that solves it. */
function questionFor({ problem, keyInsight, task, body }: Learning): string {
  return (problem || task || keyInsight || (body.split('\n').find((line) => /\w{4}/.test(line)) ?? '')).slice(
    0,
    300,
  );
}

async function probe(parts: RecallParts, learning: Learning, query: string): Promise<Probe> {
  const { trace = [] } = await answer(
    parts,
    { query, global: true, knobs: UNCACHED },
    { explain: true, quiet: true },
  );
  // The question is a field of the note itself, so the strength is measured on the rest of the note.
  const rest = [learning.title, learning.rule, learning.fix, learning.rootCause, ...learning.tags].join('\n');
  const strengths: Record<string, number> = {};
  for (const { id: arm, strength } of RECALL_PORTS.arm) {
    const own = trace.find(({ port }) => port === arm)?.candidates.find(({ id }) => id === learning.id);
    if (own) strengths[arm] = strength === 'coverage' ? coverage(query, rest) : own.score;
  }
  return { query, strengths };
}

/** The nearest-rank low percentile, rounded down to two digits; null without anything measured. */
function lowest(values: number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * LOW) - 1)];
  return value === undefined ? null : Math.floor(Math.min(1, Math.max(0, value)) * 100) / 100;
}

async function count(
  parts: RecallParts,
  asked: Array<{ learning: Learning; query: string }>,
  floors: Record<string, number>,
) {
  let [candidates, answers] = [0, 0];
  for (const { learning, query } of asked) {
    const { hits, trace = [] } = await answer(
      parts,
      { query, global: true, knobs: { ...UNCACHED, ...floors } },
      { explain: true, quiet: true },
    );
    candidates += trace.find(({ stage }) => stage === 'fuse')?.candidates.length ?? 0;
    answers += hits.some((hit) => hit.learning.id === learning.id) ? 1 : 0;
  }
  return { candidates, answers };
}
