import type { CheckRun, EvaluatorOutput, VerificationType } from '#contract/loops.ts';
import { readCompilerErrors } from './reports/compiler.ts';
import { readJunit } from './reports/junit.ts';
import type { Failure, TestReport } from './reports/report.ts';
import { readTap } from './reports/tap.ts';
import { readVitest } from './reports/vitest.ts';

const LONGEST_OUTPUT = 20_000; // characters, the last ones
const MOST_ERRORS = 200;
const READERS = { junit: readJunit, tap: readTap, vitest: readVitest };

interface Evaluated {
  check: CheckRun;
  tests: TestReport | null;
  errors: Failure[];
}

/** Turns what checks printed into a verdict. The exit code decides, the reports say what failed and how much. */
export function evaluate(checks: readonly CheckRun[], type: VerificationType | undefined): EvaluatorOutput {
  const all = checks.map(evaluateOne);
  const errors = all.flatMap((each) => each.errors);
  const ofType = (kind: Failure['type']) => errors.filter((error) => error.type === kind).length;
  const tests = all.flatMap((each) => each.tests ?? []);
  const total = (field: 'passed' | 'failed') => tests.reduce((sum, report) => sum + report[field], 0);
  const verification = type ?? (checks.length > 1 ? 'combined' : usualType(all[0]));
  return {
    passed: checks.every(({ exitCode }) => exitCode === 0) && total('failed') === 0,
    verification_type: verification,
    results: all.map(resultOf),
    errors: errors.slice(0, MOST_ERRORS),
    metrics: {
      ...(tests.length > 0
        ? { tests_passed: total('passed'), tests_total: total('passed') + total('failed') }
        : {}),
      ...(verification === 'combined' || ofType('type_error') > 0
        ? { type_errors: ofType('type_error') }
        : {}),
      ...(verification === 'combined' || ofType('lint_error') > 0
        ? { lint_errors: ofType('lint_error') }
        : {}),
    },
  };
}

function evaluateOne(check: CheckRun): Evaluated {
  const { exitCode, stdout, stderr, report, tool } = check;
  const tests = report ? reportIn(report.text, report.format) : reportIn(stdout, 'auto');
  const printed = tests ? [] : readCompilerErrors(`${stdout}\n${stderr}`);
  const errors = [...(tests?.errors ?? []), ...printed];
  if (errors.length > 0 || exitCode === 0) return { check, tests, errors };
  const said = (stderr.trim() || stdout.trim()).split('\n').findLast((line) => line.trim() !== '') ?? '';
  const message = `${tool} ended with ${exitCode}${said ? `: ${said.trim().slice(0, 1_000)}` : ''}`;
  return { check, tests, errors: [{ type: 'other', message }] };
}

/** Reads a report of this format, or of whichever format it turns out to have. */
function reportIn(text: string, format: keyof typeof READERS | 'auto'): TestReport | null {
  if (format !== 'auto') return READERS[format](text);
  return readVitest(text) ?? readJunit(text) ?? readTap(text);
}

function usualType(one: Evaluated | undefined): VerificationType {
  if (!one || one.tests) return 'unit_tests';
  if (/\btsc\b|mypy|pyright/.test(one.check.tool)) return 'type_check';
  return /lint|ruff|clippy/.test(one.check.tool) ? 'lint' : 'unit_tests';
}

function resultOf({ check: { tool, exitCode, stdout, stderr, durationMs }, tests }: Evaluated) {
  const failed = exitCode !== 0 || (tests?.failed ?? 0) > 0;
  return {
    tool,
    status: exitCode === 127 ? ('error' as const) : failed ? ('fail' as const) : ('pass' as const),
    exit_code: exitCode,
    ...(stdout ? { stdout: stdout.slice(-LONGEST_OUTPUT) } : {}),
    ...(stderr ? { stderr: stderr.slice(-LONGEST_OUTPUT) } : {}),
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
  };
}
