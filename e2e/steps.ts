import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../app/setup.mjs';
import { run } from '../app/terminal.mjs';
import type { Tier } from '../.config/tiers.ts';
import type { Tally } from './tally.ts';

/** A tool by its script, run on this very Node: a shim would look `node` up and might find another. */
function tool(script: string, args: string[], env: Record<string, string> = {}) {
  return run(process.execPath, [path.join(ROOT, script), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  });
}

/** A check that passes or fails as a whole and counts as one. */
export async function check(script: string, args: string[]): Promise<Tally> {
  // The type checker of oxlint is in Go: if it collects garbage only near this limit, it takes a quarter less time.
  const { ok, output } = await tool(script, args, { GOGC: 'off', GOMEMLIMIT: '3GiB' });
  const name = [path.basename(script), ...args].join(' ');
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [], output: `${name}\n${output}` };
}

/** The file our vitest reporter writes. */
interface UnitReport {
  passed: number;
  failed: number;
  skipped: string[];
}

/** The unit tests of these tiers. */
export async function unitTests(...tiers: Tier[]): Promise<Tally> {
  const report = reportFile();
  const reporters = ['--reporter=default', `--reporter=${path.join(ROOT, 'e2e', 'vitest-reporter.ts')}`];
  const { ok, output } = await tool(
    'node_modules/vitest/vitest.mjs',
    [
      'run',
      '--config',
      '.config/vitest.config.ts',
      ...tiers.flatMap((tier) => ['--project', `${tier}*`]),
      ...reporters,
    ],
    { REFLECT_TEST_REPORT: report.file, NO_COLOR: '1' },
  );
  return finish(report.read<UnitReport>(), ok, output);
}

interface Spec {
  title: string;
  tests: {
    status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
    annotations: { type: string; description?: string }[];
  }[];
}
interface Suite {
  specs: Spec[];
  suites?: Suite[];
}

export async function endToEnd(project: string, env: Record<string, string>): Promise<Tally> {
  const report = reportFile();
  const { ok, output } = await playwright(project, ['--reporter=dot,json'], {
    ...env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report.file,
  });
  const specs = report.read<Suite>()?.suites?.flatMap(specsOf);
  if (!specs) return finish(undefined, ok, output);
  const tests = specs.flatMap(({ title, tests }) => tests.map((test) => ({ title, ...test })));
  const withStatus = (...wanted: string[]) => tests.filter(({ status }) => wanted.includes(status));
  const skipped = withStatus('skipped').map(({ title, annotations }) => {
    const reason = annotations.find(({ type }) => type === 'skip')?.description ?? 'a test before it failed';
    return `${title}: ${reason}`;
  });
  return finish(
    { passed: withStatus('expected').length, failed: withStatus('unexpected', 'flaky').length, skipped },
    ok,
    output,
  );
}

/** Every test of a project that cannot run here, with the reason. */
export async function skipAll(project: string, reason: string): Promise<Tally> {
  const report = reportFile();
  await playwright(project, ['--list', '--reporter=json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: report.file });
  const count = report.read<Suite>()?.suites?.flatMap(specsOf).length ?? 1;
  return { passed: 0, failed: 0, skipped: Array.from({ length: count }, () => reason), output: '' };
}

const specsOf = ({ specs, suites = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsOf)];

function playwright(project: string, args: string[], env: Record<string, string>) {
  return tool(
    'node_modules/@playwright/test/cli.js',
    ['test', '--config', 'e2e/playwright.config.ts', '--project', project, ...args],
    env,
  );
}

/** A tool that failed without a failed test, or without a report, has failed all the same. */
function finish(report: UnitReport | undefined, ok: boolean, output: string): Tally {
  const { passed, failed, skipped } = report ?? { passed: 0, failed: 0, skipped: [] };
  return { passed, failed: ok ? failed : Math.max(failed, 1), skipped, output };
}

function reportFile() {
  const folder = mkdtempSync(path.join(tmpdir(), 'reflect-report-'));
  const file = path.join(folder, 'report.json');
  return {
    file,
    read<T>(): T | undefined {
      try {
        return JSON.parse(readFileSync(file, 'utf8')) as T; // written by the tool we just ran
      } catch {
        return undefined; // the tool ended before it could report
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
