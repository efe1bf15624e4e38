import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { VERIFICATION_TYPES, type VerificationType } from '#contract/loops.ts';
import { type Input, METHODS, type Output } from '#contract/methods.ts';
import { ago, bold, dim, plural, print, table } from '../output.ts';
import { listOf, wholeNumber } from '../recall-flags.ts';
import { withDaemon } from '../session.ts';
import { share } from './memories.ts';

interface StartFlags {
  verify?: VerificationType;
  omega?: number;
  maxIterations?: number;
  id?: string;
}

interface SearchFlags {
  category?: string;
  minConfidence?: number;
  limit?: number;
}

export function loopCommands(program: Command): void {
  const loop = program
    .command('loop')
    .description('Attempts at one task, each told what the failures before it taught');
  loop
    .command('start')
    .argument('<task...>')
    .description(METHODS['loops.start'].doc)
    .addOption(new Option('--verify <how>', 'what an attempt is judged by').choices(VERIFICATION_TYPES))
    .option('--omega <1…10>', 'how many reflections an attempt is told', wholeNumber)
    .option('--max-iterations <n>', 'after how many failures it is given up', wholeNumber)
    .option('--id <name>', 'a name of its own: ralph-…')
    .action((words: string[], { verify, ...flags }: StartFlags, command: Command) =>
      withDaemon(
        command,
        (call) =>
          call('loops.start', {
            task: words.join(' '),
            cwd: process.cwd(),
            verificationType: verify,
            ...flags,
          }),
        ({ id }) => print(id),
      ),
    );
  loop
    .command('append')
    .argument('<loop>')
    .argument('<file>', 'the attempt as JSON; - reads it from standard input')
    .description(METHODS['reflections.append'].doc)
    .action((id: string, file: string, _flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('reflections.append', { ...readAttempt(file), loop_id: id }),
        printAttempt,
      ),
    );
  loop
    .command('context')
    .argument('<loop>')
    .description(METHODS['reflections.context'].doc)
    .option('--max-tokens <n>', 'at most this many', wholeNumber)
    .action((loopId: string, flags: { maxTokens?: number }, command: Command) =>
      withDaemon(
        command,
        (call) => call('reflections.context', { loopId, ...flags }),
        ({ text }) => print(text),
      ),
    );
  loop
    .command('window')
    .argument('<loop>')
    .description(METHODS['reflections.window'].doc)
    .action((loopId: string, _flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('reflections.window', { loopId }),
        ({ omega, why, reflections }) => {
          print(dim(`Ω ${omega}: ${why}`));
          for (const { iteration, reflection } of reflections)
            print(bold(`Attempt ${iteration + 1}`), `  ${reflection.reflection_text}`);
        },
      ),
    );
  loop
    .command('analyze')
    .argument('[loop]')
    .description(METHODS['reflections.analyze'].doc)
    .action((loopId: string | undefined, _flags: object, command: Command) =>
      withDaemon(command, (call) => call('reflections.analyze', { loopId }), printReport),
    );
  loop
    .command('search')
    .argument('[keywords...]')
    .description(METHODS['reflections.search'].doc)
    .option('--category <list>', 'the kinds of failure, separated by commas')
    .option('--min-confidence <0…1>', 'at least so sure', share)
    .option('--limit <n>', 'at most this many', wholeNumber)
    .action((keywords: string[], { category, ...flags }: SearchFlags, command: Command) =>
      withDaemon(
        command,
        (call) =>
          call('reflections.search', {
            // Checked by the daemon, which says which categories there are.
            ...(category === undefined
              ? {}
              : {
                  failureCategory: listOf(category) as Exclude<
                    Input<'reflections.search'>['failureCategory'],
                    undefined
                  >,
                }),
            ...(keywords.length > 0 ? { keywords } : {}),
            ...flags,
          }),
        printFound,
      ),
    );
  loop
    .command('list')
    .description(METHODS['loops.list'].doc)
    .action((_flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('loops.list', {}),
        (loops) => {
          if (loops.length === 0) return print('No loop yet. `reflect loop start "…"` begins one.');
          print(
            ...table(
              loops.map(({ id, startedAt, status, iterations, lastReward, task }) => [
                id,
                ago(startedAt),
                status,
                plural(iterations, 'attempt'),
                lastReward?.toFixed(2) ?? '–',
                task.slice(0, 60),
              ]),
            ),
          );
        },
      ),
    );
  loop
    .command('abort')
    .argument('<loop>')
    .description(METHODS['loops.abort'].doc)
    .option('--reason <text>')
    .action((id: string, flags: { reason?: string }, command: Command) =>
      withDaemon(
        command,
        (call) => call('loops.abort', { id, ...flags }),
        () => print('Given up.'),
      ),
    );
}

function readAttempt(file: string): Omit<Input<'reflections.append'>, 'loop_id'> {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8')) as Omit<
      Input<'reflections.append'>,
      'loop_id'
    >; // checked by the daemon
  } catch (error) {
    throw new InvalidArgumentError(`${file} holds no JSON: ${(error as Error).message}`);
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
    print(dim(`Its reflection is weak: ${flags.map((flag) => flag.replaceAll('-', ' ')).join(', ')}.`));
}

const BARS = '▁▂▃▄▅▆▇█';
const curve = (rewards: number[]) =>
  rewards.map((reward) => BARS[Math.round(reward * (BARS.length - 1))]).join('');

function printReport({
  loops,
  successRate,
  averageLearningRate,
  averageIterations,
  reuseRate,
  repeatedLessons,
}: Output<'reflections.analyze'>): void {
  if (loops.length === 0) return print('No loop yet.');
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
          `${Math.round(reuse * 100)} %`,
          String(flagged),
        ],
      ),
      ['loop', 'status', 'attempts', 'reward', 'rate', 'gain', 'reuse', 'weak'],
    ),
  );
  print(
    '',
    `${Math.round(successRate * 100)} % of ended loops passed; ${averageIterations.toFixed(1)} attempts and ${averageLearningRate.toFixed(3)} reward a step on average; ${Math.round(reuseRate * 100)} % reused a reflection.`,
  );
  for (const { lesson, loops: learned } of repeatedLessons.slice(0, 5))
    print(dim(`Learned in ${learned.length} loops: ${lesson}`));
}

function printFound(found: Output<'reflections.search'>): void {
  if (found.length === 0) return print('No reflection on that yet.');
  for (const { loopId, iteration, task, reflection, solved } of found) {
    print(
      bold(task),
      dim(`  ${loopId}, attempt ${iteration + 1}${solved ? ' · solved later' : ''}`),
      `  ${reflection.reflection_text}`,
    );
    for (const lesson of reflection.lessons_learned ?? []) print(`  - ${lesson}`);
  }
}
