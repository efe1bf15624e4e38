/** Reads the result of a run from one test runner's output; null when another program wrote it. */
interface Runner {
  name: string;
  count: (output: string) => { failed: number; passed: number } | null;
}

const last = (output: string, pattern: RegExp) => [...output.matchAll(pattern)].at(-1);
const figure = (text: string, word: RegExp) => Number(text.match(word)?.[1] ?? 0);

/** A runner whose last summary line has its figures as words, e.g. `2 failed, 5 passed in 0.12s`. */
function bySummary(name: string, summary: RegExp, failed: RegExp, passed: RegExp): Runner {
  return {
    name,
    count(output) {
      const line = last(output, summary)?.[0];
      return line === undefined ? null : { failed: figure(line, failed), passed: figure(line, passed) };
    },
  };
}

/** A runner that prints a summary for each part of a run; the figures are added up. */
function byParts(name: string, part: RegExp): Runner {
  return {
    name,
    count(output) {
      const parts = [...output.matchAll(part)].map(({ groups }) => groups ?? {});
      if (parts.length === 0) return null;
      const sum = (...names: string[]) =>
        parts.reduce(
          (total, groups) => total + names.reduce((own, key) => own + Number(groups[key] ?? 0), 0),
          0,
        );
      return { failed: sum('failed', 'errors'), passed: sum('passed') };
    },
  };
}

const go: Runner = {
  name: 'go test',
  count(output) {
    const packages = [
      ...output.matchAll(/^(ok|FAIL)\s+\S+\/?\S*\s+(?:\(cached\)|[\d.]+s|\[(?:build|setup) failed\])/gm),
    ];
    const failures = [...output.matchAll(/^--- FAIL: /gm)].length;
    const passes = [...output.matchAll(/^--- PASS: /gm)].length;
    if (packages.length + failures + passes === 0) return null;
    const failedPackages = packages.filter(([, word]) => word === 'FAIL').length;
    return {
      failed: Math.max(failures, failedPackages),
      passed: Math.max(passes, packages.length - failedPackages),
    };
  },
};

/** Runners in the order they are tried: the most recognisable output first. */
const RUNNERS: readonly Runner[] = [
  bySummary(
    'vitest',
    /^\s*Tests\s+(?:\d+ (?:failed|passed|skipped|todo)(?: \| )?)+.*\(\d+\)/gm,
    /(\d+) failed/,
    /(\d+) passed/,
  ),
  bySummary('jest', /^Tests:\s+.*\d+ total/gm, /(\d+) failed/, /(\d+) passed/),
  byParts('cargo test', /^test result: \w+\. (?<passed>\d+) passed; (?<failed>\d+) failed/gm),
  bySummary(
    'pytest',
    /^=*\s*(?:\d+ (?:failed|passed|errors?|skipped|deselected|xfailed|xpassed|warnings?)(?:, )?)+ in [\d.:]+ ?s?.*$/gm,
    /(\d+) (?:failed|errors?)/,
    /(\d+) passed/,
  ),
  go,
  {
    name: 'mocha',
    count(output) {
      const passing = last(output, /^\s*(\d+) passing\b/gm);
      return passing
        ? { passed: Number(passing[1]), failed: Number(last(output, /^\s*(\d+) failing\b/gm)?.[1] ?? 0) }
        : null;
    },
  },
  {
    name: 'node --test',
    count(output) {
      const pass = last(output, /^(?:#|ℹ) pass (\d+)$/gm);
      return pass
        ? { passed: Number(pass[1]), failed: Number(last(output, /^(?:#|ℹ) fail (\d+)$/gm)?.[1] ?? 0) }
        : null;
    },
  },
  {
    name: 'bun test',
    count(output) {
      const pass = last(output, /^\s*(\d+) pass$/gm);
      return pass
        ? { passed: Number(pass[1]), failed: Number(last(output, /^\s*(\d+) fail$/gm)?.[1] ?? 0) }
        : null;
    },
  },
];

/**
 * The beginning of a line that one of them may read. Most output has none, and is searched once instead of once for
 * each runner: nine searches were a quarter of the time that reading old sessions took.
 */
const MAY_BE_SUMMARY =
  /\n[= \t\r]*(?:\d+ (?:pass|fail|error|skip|desel|xfail|xpass|warn)|Tests|test result: |ok\s|FAIL\s|--- [FP]A|[#ℹ] pass )/;

const TAIL = 200_000; // characters at the end, where every runner puts its summary

const TASK_RUNNERS =
  'cargo|go|npm|pnpm|yarn|bun|deno|mise|just|make|task|dotnet|mvn|gradle|\\./gradlew|nx|turbo|mix|swift';
/** Commands that run tests; reading an old log of a run is no run. */
const RUNS_TESTS: readonly RegExp[] = [
  /(?:^|[\s/;&|(])(?:pytest|py\.test|tox|nox|jest|vitest|mocha|ava|nextest|ctest|rspec|phpunit)\b/,
  new RegExp(`\\b(?:${TASK_RUNNERS})\\s+(?:[\\w:./-]+\\s+)*?[\\w:.-]*(?:test|check|ci)[\\w:.-]*`),
  /\bnode\s+(?:\S+\s+)*--test\b/,
  /(?:^|\s)\S*(?:run[-_]?tests?|tests?)\.(?:sh|py|js|ts|mjs)\b/,
];
const READS = /^\s*(?:cat|less|head|tail|grep|rg|echo|git|gh|sed|awk|ls|find)\b/;

export interface TestRun {
  runner: string;
  failed: number;
  passed: number;
}

/** The result of a test run; null for any other command. */
export function readTestRun(command: string, output: string): TestRun | null {
  if (!RUNS_TESTS.some((pattern) => pattern.test(command)) || READS.test(command)) return null;
  const text = plainText(output.slice(-TAIL));
  if (!MAY_BE_SUMMARY.test(`\n${text}`)) return null;
  for (const { name, count } of RUNNERS) {
    const counts = count(text);
    if (counts && counts.failed + counts.passed > 0) return { runner: name, ...counts };
  }
  return null;
}

export const plainText = (output: string) => output.replace(/\x1b\[[\d;]*[A-Za-z]/g, '');

const FAILED_TEST =
  /^(?:FAILED (\S+).*|--- FAIL: (\S+).*|test (\S+) \.\.\. FAILED|\s*FAIL\s+(\S+ > .{4,120})|\s*(?:●|✗|×)\s+(.{4,120}?)(?:\s+\d+ ?ms)?|\s*\d+\) (.{4,120}))$/gm;
const ERROR_LINE =
  /^(?:E\s+.+|.*(?:\b[A-Z]\w*(?:Error|Exception): |panicked at|\bexpected\b.*\bgot\b|\bgot\b.*\bwant\b|\bExpected\b|\bassert).*)$/m;
const LONGEST_ERROR = 200;

/** Which tests failed, and the first line that says why. */
export function readFailures(output: string): { tests: string[]; error: string } {
  const text = plainText(output.slice(-TAIL));
  const tests = [...text.matchAll(FAILED_TEST)].map((match) =>
    (match.slice(1).find((name) => name !== undefined) ?? '').trim(),
  );
  return {
    tests: [...new Set(tests)].slice(0, 3),
    error: (text.match(ERROR_LINE)?.[0] ?? '')
      .replace(/^(?:E\s+|FAILED \S+ - )/, '')
      .trim()
      .slice(0, LONGEST_ERROR),
  };
}
