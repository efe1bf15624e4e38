import type { Asked } from '#contract/methods.ts';
import { randomBytes } from 'node:crypto';
import { DaemonError } from '#contract/errors.ts';
import {
  type Attempt,
  type Loop,
  type LoopIteration,
  type NewAttempt,
  ReflectionMemory,
  type ReflectionWindow,
} from '#contract/loops.ts';
import type { AskModel } from '../../drain/writer.ts';
import type { UserResolve } from '../../ports/knob.ts';
import { appendHistory } from '../../store/learnings/history-log.ts';
import { asOneUnit, type Store } from '../../store/learnings/write.ts';
import {
  finishLoop,
  getLoop,
  iterationsOf,
  putIteration,
  putLoop,
  recordInjectedReflections,
  injectedReflections,
} from '../../store/outcomes/loops.ts';
import type { Keep } from '../experience/keep.ts';
import { resolveProject } from '../resolve-project.ts';
import { beginning } from '../../text/one-line.ts';
import { lessonNote, loopLearning } from './lesson.ts';
import { flagsOf } from './quality.ts';
import { retryContext } from './retry-context.ts';
import { rewardOf } from './reward.ts';
import { reflectOn } from './self-reflection.ts';
import { dynamicOmega, reflectionsIn, windowOf } from './window.ts';

export interface LoopParts {
  store: Store;
  resolve: UserResolve;
  keep: Keep;
}

type NewLoop = Asked<'loops.start'>;

export function startLoop(
  { store }: Pick<LoopParts, 'store'>,
  { id = newId(), omega, cwd, project, branch, ...loop }: NewLoop,
): Loop {
  const resolved = resolveProject({ cwd, project, branch });
  const isNew = putLoop(store.db, {
    ...loop,
    id,
    omega: omega ?? null,
    project: resolved.project ?? '',
    startedAt: store.now(),
  });
  if (!isNew) throw new DaemonError('conflict', `the loop ${id} already exists`);
  return getLoop(store.db, id);
}

const newId = () => `ralph-${randomBytes(6).toString('hex')}`;

/** Adds an attempt. The loop ends if it passed or was the last allowed one. */
export function append(parts: LoopParts, attempt: NewAttempt): LoopIteration & { loop: Loop } {
  const { store } = parts;
  const loop = runningLoop(store, attempt.loop_id);
  const before = iterationsOf(store.db, loop.id);
  refuseReflectionOnSuccess(attempt);
  refuseWrongTurn(attempt, nextIteration(before));
  const kept = completed(parts, loop, before, attempt);
  return asOneUnit(store, () => {
    putIteration(store.db, kept, Date.parse(kept.record.timestamp));
    recordInjectedReflections(store.db, loop.id, []);
    if (kept.record.evaluator_output.passed) complete(parts, loop, [...before, kept]);
    else if (before.length + 1 >= loop.maxIterations)
      abort(parts, loop.id, `${loop.maxIterations} attempts failed`);
    return { ...kept, loop: getLoop(store.db, loop.id) };
  });
}

function runningLoop({ db }: Store, id: string): Loop {
  const loop = getLoop(db, id);
  if (loop.status !== 'running') throw new DaemonError('conflict', `the loop ${id} is ${loop.status}`);
  return loop;
}

/** Loops of other tools may begin at 1. */
const nextIteration = (before: readonly LoopIteration[]): number =>
  (before.at(-1)?.record.iteration ?? -1) + 1;

/** The attempt with a reflection, if it failed without one. */
export async function withReflection(
  { store, resolve }: Pick<LoopParts, 'store' | 'resolve'>,
  ask: AskModel,
  attempt: NewAttempt,
): Promise<NewAttempt> {
  if (attempt.evaluator_output.passed || attempt.self_reflection) return attempt;
  const loop = runningLoop(store, attempt.loop_id);
  const before = iterationsOf(store.db, loop.id);
  refuseWrongTurn(attempt, nextIteration(before)); // before a model is asked for nothing
  const { reflections } = windowOf(loop, before, resolve(dynamicOmega.switch));
  return { ...attempt, self_reflection: await reflectOn(ask, loop, before, reflections, attempt) };
}

function refuseWrongTurn({ iteration }: NewAttempt, next: number): void {
  if (iteration !== undefined && iteration !== next)
    throw new DaemonError('bad-input', `iteration: the next of this loop is ${next}, not ${iteration}`);
}

/** The attempt with every field that can be calculated. */
function completed(
  { store, resolve }: LoopParts,
  loop: Loop,
  before: LoopIteration[],
  attempt: NewAttempt,
): LoopIteration {
  const used = attempt.previous_reflections_used ?? injectedReflections(store.db, loop.id);
  const reward = rewardOf(attempt.evaluator_output);
  const record: Attempt = {
    ...attempt,
    iteration: nextIteration(before),
    timestamp: attempt.timestamp ?? new Date(store.now()).toISOString(),
    evaluator_output: { ...attempt.evaluator_output, reward_signal: reward },
    ...(used.length > 0 ? { previous_reflections_used: used } : {}),
    ...(before.length > 0
      ? { performance_delta: attempt.performance_delta ?? deltaTo(before.at(-1)?.record, attempt, reward) }
      : {}),
    memory_metadata: attempt.memory_metadata ?? { omega_capacity: 1, current_memory_size: 0 },
  };
  const kept = { record, flags: flagsOf(record, reflectionsIn(before).at(-1)?.reflection) };
  if (!attempt.memory_metadata) record.memory_metadata = memoryAfter(loop, [...before, kept], resolve);
  if (!record.evaluator_output.passed) check(record);
  return kept;
}

/** An attempt that passed has nothing to reflect on. */
function refuseReflectionOnSuccess({
  evaluator_output: { passed },
  self_reflection: reflection,
}: NewAttempt): void {
  if (passed && reflection)
    throw new DaemonError('bad-input', 'self_reflection: not allowed for an attempt that passed');
}

/** Validates a failed attempt against the published schema. */
function check(record: Attempt): void {
  const parsed = ReflectionMemory.safeParse(record);
  if (!parsed.success)
    throw new DaemonError(
      'bad-input',
      parsed.error.issues
        .slice(0, 3)
        .map(({ path, message }) => `${path.join('.')}: ${message}`)
        .join('; '),
    );
}

function deltaTo(
  before: Attempt | undefined,
  { evaluator_output: now }: NewAttempt,
  reward: number,
): NonNullable<Attempt['performance_delta']> {
  const change = reward - (before ? rewardOf(before.evaluator_output) : 0);
  const errors = (now.errors?.length ?? 0) - (before?.evaluator_output.errors?.length ?? 0);
  return {
    reward_change: change,
    error_count_change: errors,
    is_improvement: change > 0 || (change === 0 && errors < 0),
  };
}

function memoryAfter(
  loop: Loop,
  iterations: LoopIteration[],
  resolve: UserResolve,
): Attempt['memory_metadata'] {
  const { omega, reflections } = windowOf(loop, iterations, resolve(dynamicOmega.switch));
  return {
    omega_capacity: omega,
    current_memory_size: reflections.length,
    reflections_in_context: reflections.map(({ iteration }) => iteration),
    window_policy: loop.windowPolicy,
    total_reflections_generated: iterations.filter(({ record }) => record.self_reflection).length,
  };
}

function complete({ store, resolve, keep }: LoopParts, loop: Loop, iterations: LoopIteration[]): void {
  const note = resolve(loopLearning.switch) ? lessonNote(loop, iterations) : null;
  const learning =
    note && keep(note, `the loop ${loop.id} passed after ${iterations.length} attempts`).learning;
  finishLoop(store.db, loop.id, 'completed', store.now(), learning?.id ?? null);
  logLoop(store, loop, `Passed after ${iterations.length} attempts: ${beginning(loop.task, 200)}`);
}

export function abort({ store }: Pick<LoopParts, 'store'>, id: string, reason: string): Loop {
  const loop = runningLoop(store, id);
  finishLoop(store.db, id, 'aborted', store.now(), null);
  logLoop(store, loop, `Given up: ${beginning(loop.task, 200)}${reason ? ` (${reason})` : ''}`);
  return getLoop(store.db, id);
}

function logLoop(store: Store, { id, project }: Loop, text: string): void {
  appendHistory(store, { kind: 'loop', project, session: id, text });
}

export function reflectionWindow(
  { store: { db }, resolve }: Pick<LoopParts, 'store' | 'resolve'>,
  id: string,
): ReflectionWindow {
  return windowOf(getLoop(db, id), iterationsOf(db, id), resolve(dynamicOmega.switch));
}

/** The text for the next attempt; its reflections are recorded as used by that attempt. */
export function contextFor(
  parts: Pick<LoopParts, 'store' | 'resolve'>,
  id: string,
  maxTokens: number,
): { text: string; tokens: number; iterations: number[] } {
  const { db } = parts.store;
  const context = retryContext(
    getLoop(db, id),
    reflectionWindow(parts, id),
    iterationsOf(db, id).at(-1)?.record,
    maxTokens,
  );
  recordInjectedReflections(db, id, context.iterations);
  return context;
}
