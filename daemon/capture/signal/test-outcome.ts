import { flag, integer, number } from '../../ports/knob.ts';
import { type Lesson, type Sighting, signal } from '../port.ts';
import { readFailures, readTestRun, type TestRun } from '../test-runners.ts';
import { commandOf, essence, filesChangedBy, listFiles, type ToolUse, ToolUses } from '../tool-use.ts';

const HOUR = 3_600_000; // ms
const EDITS_REMEMBERED = 500;
/** The change is known, its reason is not: of such moments in labelled sessions none was worth a note as it stood. */
const SCORE = 0.15;

interface PastRun extends TestRun {
  use: ToolUse;
  command: string;
}

export const testOutcome = signal({
  id: 'signal.test-outcome',
  seeds: ['SG4'],
  doc: 'Notices when failing tests come to pass, which proves what was learned on the way, and when passing ones begin to fail.',
  switch: flag('REFLECT_SIGNAL_TEST_OUTCOME', true, 'Follow the outcome of test runs'),
  knobs: {
    history: integer('REFLECT_TEST_HISTORY', {
      default: 20,
      min: 2,
      max: 1_000,
      doc: 'How many runs of a test runner are remembered in a session',
    }),
    hours: number('REFLECT_TEST_HISTORY_HOURS', {
      default: 6,
      min: 0.1,
      max: 720,
      doc: 'Hours for which a test run is compared with later ones',
    }),
    failingRuns: integer('REFLECT_TEST_FAILING_RUNS', {
      default: 2,
      min: 1,
      max: 20,
      doc: 'How often tests must fail before passing confirms what the session learned',
    }),
    mostFiles: integer('REFLECT_TEST_FIX_FILES', {
      default: 4,
      min: 1,
      max: 1_000,
      doc: 'Maximum files a fix may touch to be a lesson; more is a piece of work',
    }),
  },
  start({ history, hours, failingRuns, mostFiles }) {
    const uses = new ToolUses();
    const past = new Map<string, PastRun[]>();
    let edits: Array<{ at: number; file: string }> = [];
    return {
      see(event): Sighting[] {
        if (event.kind === 'tool_call')
          edits = [...edits, ...filesChangedBy(event).map((file) => ({ at: event.at, file }))].slice(
            -EDITS_REMEMBERED,
          );
        const use = uses.follow(event);
        const command = use && commandOf(use.call);
        const run = command && readTestRun(command, use.result.output);
        if (!run) return [];
        const runs = (past.get(run.runner) ?? []).filter(
          ({ use: { result } }) => event.at - result.at <= hours * HOUR,
        );
        const before = runs.at(-1);
        past.set(run.runner, [...runs.slice(1 - history), { ...run, use, command }]);
        if (before?.failed === 0 && run.failed > 0) return [regression(run, use)];
        // A run of fewer tests than had failed cannot have passed them all.
        if (!before || before.failed === 0 || run.failed > 0 || run.passed < before.failed) return [];
        const failing = runs.slice(runs.findLastIndex(({ failed }) => failed === 0) + 1);
        const began = failing[0]?.use.result.at ?? 0;
        const files = new Set(edits.filter(({ at }) => at >= began).map(({ file }) => file));
        const proven = failing.length >= failingRuns;
        const effect: Sighting[] = proven
          ? [{ sees: 'tests-fixed', runner: run.runner, failedRuns: failing.length }]
          : [];
        // A fix of the tests themselves says nothing about the code.
        const isFix = files.size <= mostFiles && [...files].some((file) => !/test|spec/i.test(file));
        return [...effect, ...(isFix ? lesson(before, use, files, proven) : [])];
      },
    };
  },
});

function regression({ runner, failed }: TestRun, { result }: ToolUse): Sighting {
  return {
    sees: 'trouble',
    kind: 'test-regression',
    detail: `${runner}: ${failures(result.output) || `${failed} failed`}`,
  };
}

/** Nothing when the output did not say what failed: a note without a reason helps nobody. */
function lesson(
  { use: failing, command }: PastRun,
  passing: ToolUse,
  files: Set<string>,
  proven: boolean,
): Lesson[] {
  const reason = failures(failing.result.output);
  if (reason === '') return [];
  const quote = `\`${essence(command)}\` failed (${reason}); it passes after changes to ${listFiles(files, passing.call.cwd)}.`;
  return [
    {
      sees: 'lesson',
      type: 'bug-fix',
      trigger: passing.call,
      quote,
      score: SCORE,
      why: ['tests that failed pass now'],
      ...(proven ? {} : { speculative: true }),
    },
  ];
}

function failures(output: string): string {
  const { tests, error } = readFailures(output);
  return [tests.join(', '), error].filter(Boolean).join(': ');
}
