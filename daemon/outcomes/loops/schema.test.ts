import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { ReflectionMemory } from '#contract/loops.ts';
import { reflectionSchema } from './schema.ts';
import { failedAttempt } from './testing.ts';

const FILE = 'daemon/outcomes/loops/reflection-memory.schema.json';
const valid = (): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify({
      ...failedAttempt(),
      iteration: 0,
      timestamp: '2026-01-25T10:00:00Z',
      memory_metadata: { omega_capacity: 3, current_memory_size: 1 },
    }),
  ) as Record<string, unknown>;

/** The record with this value at that path, or without the path if the value is undefined. */
function changed(path: string, value: unknown): Record<string, unknown> {
  const record = valid();
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce<Record<string, unknown>>(
    (at, key) => at[key] as Record<string, unknown>,
    record,
  );
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return record;
}

test('the published schema is up to date; `node daemon/outcomes/loops/write-schema.ts` writes it', () => {
  expect(readFileSync(FILE, 'utf8')).toBe(reflectionSchema());
});

describe('the published schema and the check agree', () => {
  // Formats are checked by their patterns.
  const check = new Ajv({ validateFormats: false }).compile(JSON.parse(readFileSync(FILE, 'utf8')) as object);

  test.each<[string, unknown]>([
    ['notes', 'all is well'],
    ['self_reflection.confidence', 0],
    ['self_reflection.confidence', 1],
    ['memory_metadata.omega_capacity', 10],
    ['performance_delta', { reward_change: -0.2, is_improvement: false }],
    ['evaluator_output.metrics', { coverage: 0.8 }],
    ['actor_output.actions', []],
    ['timestamp', '2026-01-25T10:00:00+02:00'],
  ])('that %s = %j is right', (path, value) => {
    expect([check(changed(path, value)), ReflectionMemory.safeParse(changed(path, value)).success]).toEqual([
      true,
      true,
    ]);
  });

  test.each<[string, unknown]>([
    ['loop_id', 'loop-1'],
    ['loop_id', 'ralph-A'],
    ['loop_id', undefined],
    ['iteration', -1],
    ['iteration', 1.5],
    ['iteration', '1'],
    ['timestamp', 'yesterday'],
    ['timestamp', undefined],
    ['actor_output.actions', undefined],
    ['actor_output.actions.0.type', 'prayer'],
    ['actor_output.actions.0.description', ''],
    ['actor_output.actions.0.description', '  '],
    ['actor_output.rationale', undefined],
    ['evaluator_output.passed', 'no'],
    ['evaluator_output.verification_type', 'vibes'],
    ['evaluator_output.reward_signal', 1.1],
    ['evaluator_output.errors.0.type', 'oops'],
    ['evaluator_output.errors.0.message', undefined],
    ['evaluator_output.results.0.status', 'maybe'],
    ['evaluator_output.results.0.tool', undefined],
    ['evaluator_output.metrics', { coverage: 'high' }],
    ['self_reflection', undefined],
    ['self_reflection.reflection_text', undefined],
    ['self_reflection.credit_assignment.failure_category', 'laziness'],
    ['self_reflection.confidence', 1.01],
    ['memory_metadata', undefined],
    ['memory_metadata.omega_capacity', 0],
    ['memory_metadata.omega_capacity', 11],
    ['memory_metadata.current_memory_size', undefined],
    ['memory_metadata.window_policy', 'lifo'],
    ['surprise', true],
    ['self_reflection.surprise', true],
  ])('that %s = %j is wrong, and the refusal names the field', (path, value) => {
    const parsed = ReflectionMemory.safeParse(changed(path, value));
    expect([check(changed(path, value)), parsed.success]).toEqual([false, false]);
    const [issue] = parsed.error?.issues ?? [];
    const named = [...(issue?.path ?? []), ...(issue && 'keys' in issue ? issue.keys : [])].join('.');
    expect(named === path || named.startsWith(`${path}.`)).toBe(true);
    expect(issue?.message).not.toBe('');
  });
});
