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

/** The first place in a stack that is in this file, or in any file of the project if none is named. */
export function locationInStack(stack: string, file?: string): Partial<Failure> {
  for (const line of stack.split('\n')) {
    const [, named = '', row, column] = /([^\s(]+\.\w+):(\d+)(?::(\d+))?\)?\s*$/.exec(line) ?? [];
    if (row === undefined || /node_modules|^node:/.test(named) || (file && !named.endsWith(file))) continue;
    return { file: file ?? named, line: Number(row), ...(column ? { column: Number(column) } : {}) };
  }
  return file ? { file } : {};
}
