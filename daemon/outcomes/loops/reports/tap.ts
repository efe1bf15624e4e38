import { type Failure, testFailure, type TestReport } from './report.ts';

const LINE =
  /^(?<indent>\s*)(?<result>not ok|ok)\b(?:\s+\d+)?(?:\s*-)?\s*(?<name>.*?)(?:\s+#\s*(?:(?<directive>skip|todo)\b.*?|time=\S+))?(?<opens>\s*\{)?$/i;
const DETAIL = /^\s+(?:message|error):\s*(?:\|-?|['"]?(.+?)['"]?)$/;
const PLACE = /^\s+(?:at|location):\s*['"]?(?:.*\()?([^'"():]+):(\d+)(?::(\d+))?/;

interface Test {
  indent: number;
  result: 'passed' | 'failed' | 'skipped';
  name: string;
  failure: Failure;
}

/**
 * Reads TAP, the Test Anything Protocol. A test that holds others is counted by those within it, whether it is told
 * after them (Node) or opens a block before them (Vitest).
 */
export function readTap(text: string): TestReport | null {
  const lines = withoutYaml(text.split(/\r?\n/));
  if (!lines.some(({ line }) => /^(?:TAP version \d+|\d+\.\.\d+)/.test(line))) return null;
  const tests: Test[] = [];
  const open: Array<{ test: Test; from: number }> = [];
  for (const { line, below } of lines) {
    if (/^\s*\}$/.test(line)) close(tests, open.pop());
    const { test, opens } = testIn(line, below) ?? {};
    if (!test) continue;
    if (opens) open.push({ test, from: tests.length });
    else sumUp(tests, test, innerFrom(tests, test));
  }
  while (open.length > 0) close(tests, open.pop());
  const count = (result: Test['result']) => tests.filter((test) => test.result === result).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    errors: tests.flatMap(({ result, failure }) => (result === 'failed' ? [failure] : [])),
  };
}

/** The lines outside the details of tests, each with the details that follow it. */
function withoutYaml(lines: readonly string[]): Array<{ line: string; below: string[] }> {
  const outside: Array<{ line: string; below: string[] }> = [];
  let isInside = false;
  for (const line of lines) {
    const last = outside.at(-1);
    if (/^\s+---$/.test(line) && last) isInside = true;
    else if (/^\s+\.\.\.$/.test(line)) isInside = false;
    else if (isInside) last?.below.push(line);
    else outside.push({ line, below: [] });
  }
  return outside;
}

function testIn(line: string, below: readonly string[]): { test: Test; opens: boolean } | undefined {
  const { indent = '', result, name = '', directive, opens } = LINE.exec(line)?.groups ?? {};
  // Output of a test may be indented and begin with "ok" too.
  if (result === undefined || (indent !== '' && !/^\s*(?:not )?ok \d+/i.test(line))) return undefined;
  const outcome = directive ? 'skipped' : result.toLowerCase() === 'ok' ? 'passed' : 'failed';
  const test: Test = { indent: indent.length, result: outcome, name, failure: failureOf(name, below) };
  return { test, opens: opens !== undefined };
}

/** Where the tests within this one begin, which come before it and stand further in. */
function innerFrom(tests: readonly Test[], { indent }: Test): number {
  return tests.findLastIndex((test) => test.indent <= indent) + 1;
}

function close(tests: Test[], block: { test: Test; from: number } | undefined): void {
  if (block) sumUp(tests, block.test, block.from);
}

/** Names the tests from there on after their parent, which counts itself only if none of them says why it failed. */
function sumUp(tests: Test[], parent: Test, from: number): void {
  const within = tests.splice(from).map(({ result, name, failure }) => ({
    indent: parent.indent,
    result,
    name: `${parent.name} › ${name}`,
    failure: { ...failure, message: `${parent.name} › ${failure.message}` },
  }));
  const isExplained = parent.result !== 'failed' || within.some(({ result }) => result === 'failed');
  tests.push(...within, ...(within.length === 0 || !isExplained ? [parent] : []));
}

function failureOf(name: string, block: readonly string[]): Failure {
  const at = block.findIndex((line) => DETAIL.test(line));
  const message = DETAIL.exec(block[at] ?? '')?.[1] ?? block[at + 1]?.trim() ?? '';
  const [, file, line] = block.map((each) => PLACE.exec(each)).find(Boolean) ?? [];
  return testFailure(
    [name, at < 0 ? '' : message].filter(Boolean).join(': '),
    file ? { file: file.trim(), line: Number(line) } : {},
  );
}
