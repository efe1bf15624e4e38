import type { EvaluatorOutput } from '#contract/loops.ts';

export type Failure = NonNullable<EvaluatorOutput['errors']>[number];

/** The result of a test run, whatever wrote it. */
export interface TestReport {
  passed: number;
  failed: number;
  skipped: number;
  errors: Failure[];
}

export const testFailure = (message: string, where: Partial<Failure> = {}): Failure => ({
  type: 'test_failure',
  message: message.trim() || 'The test failed.',
  ...where,
});
