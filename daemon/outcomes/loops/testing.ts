import type { FailureCategory, NewAttempt, SelfReflection } from '#contract/loops.ts';

export const LOOP = 'ralph-totals';

const TEXT =
  'In the last attempt I mapped over the rows without asking whether there are any. The tests failed because an empty answer has none.';

/** A reflection without weaknesses; `about` makes its words unique. */
export function reflection(
  more: Partial<SelfReflection> & { category?: FailureCategory; about?: string } = {},
): SelfReflection {
  const { category = 'edge_case_miss', about = 'rows', ...rest } = more;
  return {
    reflection_text: `${TEXT} It was about ${about}, ${about} and once more ${about}.`,
    credit_assignment: {
      failing_action_indices: [0],
      root_cause: `No check for empty ${about}`,
      failure_category: category,
    },
    actionable_insights: [`Return an empty list when there are no ${about}`],
    lessons_learned: [`An answer may hold no ${about}`],
    confidence: 0.8,
    ...rest,
  };
}

export function failedAttempt(more: Partial<NewAttempt> = {}): NewAttempt {
  return {
    loop_id: LOOP,
    actor_output: {
      actions: [{ type: 'code_modification', description: 'Map over the rows', file_path: 'src/totals.ts' }],
      rationale: 'It is the shortest way',
    },
    evaluator_output: {
      passed: false,
      verification_type: 'unit_tests',
      results: [{ tool: 'vitest', status: 'fail', stderr: 'Cannot read map of undefined' }],
      errors: [
        { type: 'test_failure', message: 'Cannot read map of undefined', file: 'src/totals.ts', line: 23 },
      ],
      metrics: { tests_passed: 3, tests_total: 4 },
    },
    self_reflection: reflection(),
    ...more,
  };
}

export function passedAttempt(more: Partial<NewAttempt> = {}): NewAttempt {
  return {
    ...failedAttempt(),
    evaluator_output: { passed: true, verification_type: 'unit_tests' },
    self_reflection: undefined,
    ...more,
  };
}
