import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** Counts for `npm test`, with the reason of every skip, which vitest's own report leaves out. */
export default class CountingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    // A file that cannot even be loaded has no tests that could fail.
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const report = {
      passed: inState('passed').length,
      failed: inState('failed').length + broken + unhandled.length,
      skipped: inState('skipped').map((test) => `${test.fullName}: ${reason(test)}`),
    };
    writeFileSync(process.env['REFLECT_TEST_REPORT'] ?? 'report.json', JSON.stringify(report));
  }
}

function reason(test: TestCase): string {
  const result = test.result();
  return (
    (result.state === 'skipped' && result.note) || `no reason is given in ${test.module.relativeModuleId}`
  );
}
