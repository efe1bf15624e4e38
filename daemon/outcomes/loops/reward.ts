import type { EvaluatorOutput } from '#contract/loops.ts';

const TESTS = 0.5;
const TYPES = 0.3;
const LINT = 0.2;

/** The reward of an attempt, 0…1: its own value, otherwise calculated from its checks. */
export function rewardOf(evaluator: EvaluatorOutput): number {
  if (evaluator.reward_signal !== undefined) return evaluator.reward_signal;
  if (evaluator.passed) return 1;
  return clamp(
    evaluator.verification_type === 'combined' && hasCounts(evaluator)
      ? combined(evaluator)
      : (testsPassed(evaluator) ?? checksPassed(evaluator)),
  );
}

const hasCounts = ({ metrics = {} }: EvaluatorOutput) =>
  ['tests_total', 'type_errors', 'lint_errors'].some((name) => metrics[name] !== undefined);

/** Tests count half, types and lint the rest. A check without a count is judged by its results. */
function combined(evaluator: EvaluatorOutput): number {
  const clean = (name: string, kind: RegExp) => {
    const counted = evaluator.metrics?.[name];
    return counted === undefined ? !failedAt(evaluator, kind) : counted === 0;
  };
  return (
    (testsPassed(evaluator) ?? 0) * TESTS +
    (clean('type_errors', /tsc|type|mypy|pyright/i) ? TYPES : 0) +
    (clean('lint_errors', /lint|prettier|ruff|clippy/i) ? LINT : 0)
  );
}

const failedAt = ({ results = [] }: EvaluatorOutput, kind: RegExp) =>
  results.some(({ tool, status }) => kind.test(tool) && (status === 'fail' || status === 'error'));

function testsPassed({ metrics = {} }: EvaluatorOutput): number | null {
  const { tests_passed: passed = 0, tests_total: total } = metrics;
  return total === undefined ? null : total > 0 ? passed / total : 0;
}

/** The share of checks that passed, without the skipped ones. */
function checksPassed({ results = [] }: EvaluatorOutput): number {
  const run = results.filter(({ status }) => status !== 'skip');
  return run.length === 0 ? 0 : run.filter(({ status }) => status === 'pass').length / run.length;
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));
