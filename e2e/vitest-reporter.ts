import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** Counts for `npm test`, with the reason of every skip, which vitest's own report leaves out. */
export default class CountingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const crashed = unhandled.flatMap(crashedIn);
    const whole = modules.filter(({ moduleId }) => !crashed.includes(moduleId));
    const tests = whole.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    // A file that cannot even be loaded has no tests that could fail.
    const broken = whole.filter((module) => module.errors().length > 0).length;
    const report = {
      passed: inState('passed').length,
      failed: inState('failed').length + broken + unhandled.length,
      crashed,
      skipped: inState('skipped').map((test) => `${test.fullName}: ${reason(test)}`),
    };
    writeFileSync(process.env['REFLECT_TEST_REPORT'] ?? 'report.json', JSON.stringify(report));
  }
}

/** The file whose process was brought down, if that is what happened. */
function crashedIn(error: SerializedError): string[] {
  const said = [error.message, (error.cause as SerializedError | undefined)?.message].join('\n');
  return [/Worker exited unexpectedly .* while running test file (.+)$/m.exec(said)?.[1] ?? []].flat();
}

function reason(test: TestCase): string {
  const result = test.result();
  return (
    (result.state === 'skipped' && result.note) || `no reason is given in ${test.module.relativeModuleId}`
  );
}
