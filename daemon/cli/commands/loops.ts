import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { Input, Output } from '#contract/methods.ts';
import { deriveCommands, row } from '../derive.ts';
import { ago, bold, dim, plural, print, table, tableOf } from '../output.ts';
import { changedFiles, runChecks } from '../checks.ts';
import { withDaemon } from '../session.ts';
import { listOf } from '../values.ts';

const LOOP_COMMANDS = [
  row({
    use: 'loop start <task...>',
    method: 'loops.start',
    flags: {
      verify: { field: 'verificationType', doc: 'how attempts are verified', value: 'how' },
      omega: { doc: 'number of reflections injected into an attempt', value: '1…10' },
      maxIterations: 'number of attempts before the loop is aborted',
      id: { doc: 'its id: ralph-…', value: 'name' },
    },
    print: ({ id }) => print(id),
  }),
  row({
    use: 'loop append <loop> <file>',
    method: 'reflections.append',
    args: { loop: { field: 'loop_id' }, file: 'the attempt as JSON; - reads it from standard input' },
    input: ({ loop, file }) => ({ ...readAttempt(String(file)), loop_id: String(loop) }),
    print: printAttempt,
  }),
  row({
    use: 'loop import',
    method: 'loops.import',
    doc: 'Read the reflections in .aiwg/ralph/reflections of this project',
    print: ({ loops, reflections, known, problems }) => {
      print(
        `Read ${plural(reflections, 'reflection')} of ${plural(loops.length, 'new loop')}; ${known} already known.`,
      );
      for (const { file, problem } of problems) print(dim(`${file}: ${problem}`));
    },
  }),
  row({
    use: 'loop export <id>',
    method: 'loops.export',
    doc: 'Write the reflections of a loop to .aiwg/ralph/reflections of this project',
    print: ({ files }) => print(...files, plural(files.length, 'file')),
  }),
  row({
    use: 'loop context <loop>',
    method: 'reflections.context',
    args: { loop: { field: 'loopId' } },
    flags: { maxTokens: 'maximum number' },
    print: ({ text }) => print(text),
  }),
  row({
    use: 'loop window <loop>',
    method: 'reflections.window',
    args: { loop: { field: 'loopId' } },
    print: ({ omega, why, reflections }) => {
      print(dim(`Ω ${omega}: ${why}`));
      for (const { iteration, reflection } of reflections)
        print(bold(`Attempt ${iteration + 1}`), `  ${reflection.reflection_text}`);
    },
  }),
  row({
    use: 'loop analyze [loop]',
    method: 'reflections.analyze',
    args: { loop: { field: 'loopId' } },
    print: printReport,
  }),
  row({
    use: 'loop search [keywords...]',
    method: 'reflections.search',
    flags: {
      category: { doc: 'failure categories, separated by commas', value: 'list' },
      minConfidence: { doc: 'minimum confidence', value: '0…1' },
      limit: 'maximum number',
    },
    input: ({ category, keywords }) => ({
      ...(typeof category === 'string' ? { failureCategory: listOf(category) as FailureCategories } : {}),
      keywords: (keywords as string[]).length > 0 ? (keywords as string[]) : undefined,
    }),
    none: 'No reflections found.',
    print: printFound,
  }),
  row({
    use: 'loop list',
    method: 'loops.list',
    none: 'No loop yet. Start one with `reflect loop start "…"`.',
    print: tableOf(({ id, startedAt, status, iterations, lastReward, task }) => [
      id,
      ago(startedAt),
      status,
      plural(iterations, 'attempt'),
      lastReward?.toFixed(2) ?? '–',
      task.slice(0, 60),
    ]),
  }),
  row({
    use: 'loop abort <id>',
    method: 'loops.abort',
    flags: { reason: '' },
    print: () => print('Aborted.'),
  }),
];

/** The daemon validates them, and its error lists the valid ones. */
type FailureCategories = Exclude<Input<'reflections.search'>['failureCategory'], undefined>;

export function loopCommands(program: Command): void {
  deriveCommands(program, LOOP_COMMANDS, {
    loop: 'Repeat attempts at one task, each with the lessons of earlier failures',
  });
  // Written by hand, because it runs the checks itself: the daemon never runs what a client names.
  program.commands
    .find((command) => command.name() === 'loop')
    ?.command('run')
    .argument('<loop>')
    .description('Run checks, and record the changes in this folder as an attempt with their result')
    .requiredOption(
      '--check <command>',
      'a check such as "npm test"; repeatable',
      (each: string, all: string[] | undefined) => [...(all ?? []), each],
    )
    .option('--report <file>', 'report file of the first check: JUnit XML, TAP, Vitest or Jest JSON')
    .option('--did <text>', 'what this attempt did; by default, the files git reports as changed')
    .option('--why <text>', 'why it was done this way', '')
    .action(async (loop: string, { check, report, did, why }: RunFlags, command: Command) => {
      const checks = await runChecks(check, report);
      const actions = did
        ? [{ type: 'other' as const, description: did }]
        : await changedFiles(process.cwd());
      await withDaemon(
        command,
        async (call) => {
          const verdict = await call('reflections.evaluate', { checks });
          if (!verdict.passed) process.exitCode = 1;
          return call('reflections.append', {
            loop_id: loop,
            actor_output: { actions, rationale: why },
            evaluator_output: verdict,
          });
        },
        (attempt) => {
          printAttempt(attempt);
          const { self_reflection: reflection } = attempt.record;
          if (reflection) print(reflection.reflection_text);
        },
      );
    });
}

interface RunFlags {
  check: string[];
  report?: string;
  did?: string;
  why: string;
}

function readAttempt(file: string): Omit<Input<'reflections.append'>, 'loop_id'> {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8')) as Omit<
      Input<'reflections.append'>,
      'loop_id'
    >; // checked by the daemon
  } catch (error) {
    throw new InvalidArgumentError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
}

function printAttempt({
  record: {
    iteration,
    evaluator_output: { passed, reward_signal: reward = 0 },
  },
  flags,
  loop,
}: Output<'reflections.append'>): void {
  print(
    `Attempt ${iteration + 1} ${passed ? 'passed' : 'failed'}, reward ${reward.toFixed(2)}; the loop is ${loop.status}.`,
  );
  if (flags.length > 0)
    print(dim(`Weak reflection: ${flags.map((flag) => flag.replaceAll('-', ' ')).join(', ')}.`));
}

const BARS = '▁▂▃▄▅▆▇█';
const curve = (rewards: number[]) =>
  rewards.map((reward) => BARS[Math.round(reward * (BARS.length - 1))]).join('');

function printReport(report: Output<'reflections.analyze'>): void {
  const { loops, successRate, averageLearningRate, averageIterations, reuseRate, repeatedLessons } = report;
  if (loops.length === 0) {
    print('No loop yet.');
    return;
  }
  print(
    ...table(
      loops.map(
        ({
          loopId,
          status,
          iterations,
          learningCurve,
          learningRate,
          improvement,
          reuseRate: reuse,
          flagged,
        }) => [
          loopId,
          status,
          String(iterations),
          curve(learningCurve.map(({ reward }) => reward)),
          learningRate.toFixed(3),
          improvement.toFixed(2),
          `${Math.round(reuse * 100)}%`,
          String(flagged),
        ],
      ),
      ['loop', 'status', 'attempts', 'reward', 'rate', 'gain', 'reuse', 'weak'],
    ),
  );
  print(
    '',
    `${Math.round(successRate * 100)}% of ended loops passed; ${averageIterations.toFixed(1)} attempts and ${averageLearningRate.toFixed(3)} reward a step on average; ${Math.round(reuseRate * 100)}% reused a reflection.`,
  );
  for (const { lesson, loops: learned } of repeatedLessons.slice(0, 5))
    print(dim(`Learned in ${learned.length} loops: ${lesson}`));
}

function printFound(found: Output<'reflections.search'>): void {
  for (const { loopId, iteration, task, reflection, solved } of found) {
    print(
      bold(task),
      dim(`  ${loopId}, attempt ${iteration + 1}${solved ? ' · solved later' : ''}`),
      `  ${reflection.reflection_text}`,
    );
    for (const lesson of reflection.lessons_learned ?? []) print(`  - ${lesson}`);
  }
}
