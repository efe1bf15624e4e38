import { locationInStack, testFailure, type TestReport } from './report.ts';

const CASE = /<testcase\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>([^]*?)<\/testcase>)/g;
const OUTCOME = /<(failure|error|skipped)\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>([^]*?)<\/\1>)/;

/** Reads JUnit XML, which most test runners of most languages can write. */
export function readJunit(text: string): TestReport | null {
  if (!/<testsuites?\b/.test(text)) return null;
  const report: TestReport = { passed: 0, failed: 0, skipped: 0, errors: [] };
  for (const [, opening = '', content = ''] of text.matchAll(CASE)) {
    const [, outcome, details = '', body = ''] = OUTCOME.exec(content) ?? [];
    if (outcome === undefined) report.passed++;
    else if (outcome === 'skipped') report.skipped++;
    else {
      report.failed++;
      report.errors.push(failureOf(attributesIn(opening), attributesIn(details), textOf(body)));
    }
  }
  return report;
}

type Attributes = Record<string, string>;

function failureOf(test: Attributes, { message }: Attributes, body: string) {
  const name = [test.classname, test.name].filter(Boolean).join(' › ');
  const said = message || (body.trim().split('\n')[0] ?? '');
  const file = test.file || undefined;
  const line = Number(test.line);
  return testFailure(`${name}: ${said}`, {
    ...locationInStack(body, file),
    ...(Number.isInteger(line) && line >= 0 ? { line } : {}),
    ...(body.trim() ? { stack_trace: body.trim().slice(0, 4_000) } : {}),
  });
}

function attributesIn(tag: string): Attributes {
  return Object.fromEntries(
    [...tag.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name = '', double, single]) => [
      name,
      decoded(double ?? single ?? ''),
    ]),
  );
}

const textOf = (xml: string): string =>
  xml
    .split(/(<!\[CDATA\[[^]*?\]\]>)/)
    .map((part) => (part.startsWith('<![CDATA[') ? part.slice(9, -3) : decoded(part)))
    .join('');

const NAMED: Attributes = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Entities in one pass: `&amp;lt;` is the text `&lt;`. */
const decoded = (text: string): string =>
  text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name = '') => {
      if (!hex && !decimal) return NAMED[name as string] ?? whole;
      const point = hex ? Number.parseInt(hex, 16) : Number(decimal);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
