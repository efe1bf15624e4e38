import * as z from 'zod';
import { locationInStack, testFailure, type TestReport } from './report.ts';

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number().catch(0),
  testResults: z.array(
    z.object({
      name: z.string().catch(''),
      status: z.string().catch(''),
      message: z.string().nullish(),
      assertionResults: z
        .array(
          z.object({
            fullName: z.string().catch(''),
            status: z.string(),
            failureMessages: z.array(z.string()).nullish(),
            location: z.object({ line: z.number(), column: z.number() }).nullish(),
          }),
        )
        .catch([]),
    }),
  ),
});

/** Reads the JSON report of Vitest, which is also Jest's. Text around the JSON is ignored. */
export function readVitest(text: string): TestReport | null {
  const report = Report.safeParse(jsonIn(text));
  if (!report.success) return null;
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = report.data;
  const errors = testResults.flatMap(({ name: file, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A file that cannot be loaded fails without a single test.
    if (failed.length === 0 && status === 'failed') return [testFailure(message ?? '', { file })];
    return failed.map(({ fullName, failureMessages, location }) => {
      const [first = '', ...stack] = (failureMessages?.[0] ?? '').split('\n');
      return testFailure(`${fullName}: ${first}`, {
        ...locationInStack(stack.join('\n'), file),
        ...(location ? { line: location.line, column: location.column } : {}),
        ...(stack.length > 0 ? { stack_trace: stack.join('\n').slice(0, 4_000) } : {}),
      });
    });
  });
  const unloaded = errors.length > numFailedTests ? errors.length - numFailedTests : 0;
  return { passed: numPassedTests, failed: numFailedTests + unloaded, skipped: numPendingTests, errors };
}

function jsonIn(text: string): unknown {
  const start = text.search(/^\s*\{/m);
  try {
    return start < 0 ? null : JSON.parse(text.slice(start, text.lastIndexOf('}') + 1));
  } catch {
    return null;
  }
}
