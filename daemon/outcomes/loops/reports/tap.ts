import { testFailure, type TestReport } from './report.ts';

const LINE = /^(not ok|ok)\b(?:\s+\d+)?(?:\s*-)?\s*(.*?)(?:\s+#\s*(skip|todo)\b.*)?$/i;
const DETAIL = /^\s+(?:message|error):\s*(?:\|-?|['"]?(.+?)['"]?)$/;
const PLACE = /^\s+(?:at|location):\s*['"]?(?:.*\()?([^'"():]+):(\d+)(?::(\d+))?/;

/**
 * Reads TAP, the Test Anything Protocol. Tests within tests are indented and summed up by their parent, so only the
 * parent counts.
 */
export function readTap(text: string): TestReport | null {
  const lines = text.split(/\r?\n/);
  if (!lines.some((line) => /^(?:TAP version \d+|\d+\.\.\d+)/.test(line))) return null;
  const report: TestReport = { passed: 0, failed: 0, skipped: 0, errors: [] };
  for (const [index, line] of lines.entries()) {
    const [, result, name = '', directive] = LINE.exec(line) ?? [];
    if (result === undefined) continue;
    if (directive) report.skipped++;
    else if (result === 'ok') report.passed++;
    else {
      report.failed++;
      report.errors.push(failureAt(name, lines.slice(index + 1)));
    }
  }
  return report;
}

/** The failure with what the indented block below it says. */
function failureAt(name: string, below: string[]) {
  const end = below.findIndex((line) => /^\S/.test(line));
  const block = end < 0 ? below : below.slice(0, end);
  const at = block.findIndex((line) => DETAIL.test(line));
  const message = DETAIL.exec(block[at] ?? '')?.[1] ?? block[at + 1]?.trim() ?? '';
  const [, file, line] = block.map((each) => PLACE.exec(each)).find(Boolean) ?? [];
  return testFailure(
    [name, at < 0 ? '' : message].filter(Boolean).join(': '),
    file ? { file: file.trim(), line: Number(line) } : {},
  );
}
