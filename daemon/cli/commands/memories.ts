import { type Command, InvalidArgumentError } from 'commander';
import { METHODS, type Output } from '#contract/methods.ts';
import { ago, bold, dim, plural, print, table } from '../output.ts';
import { listOf, wholeNumber } from '../recall-flags.ts';
import { withDaemon } from '../session.ts';

interface QueryFlags {
  limit?: number;
  lambda?: number;
  mmrLambda?: number;
  threshold?: number;
  metadata?: Record<string, string | number | boolean>;
  global?: boolean;
}

interface CreateFlags {
  result: string;
  summary: string;
  guidance: string;
  mistake?: string;
  action?: string;
  tools?: string;
  metadata?: Record<string, string | number | boolean>;
}

type Reviews = Output<'memories.history'>;

export function memoryCommands(program: Command): void {
  const memories = program
    .command('memories')
    .description('Memories of past tasks, ranked by how well they have served');

  queryFlags(
    memories
      .command('query')
      .argument('<task...>', 'the task at hand')
      .description(METHODS['memories.query'].doc),
  ).action((words: string[], flags: QueryFlags, command: Command) =>
    withDaemon(command, (call) => call('memories.query', queryOf(words, flags)), printMemories),
  );
  queryFlags(
    memories
      .command('augment')
      .argument('<task...>', 'the task at hand')
      .description(METHODS['memories.augment'].doc),
  ).action((words: string[], flags: QueryFlags, command: Command) =>
    withDaemon(
      command,
      (call) => call('memories.augment', queryOf(words, flags)),
      ({ augmentedTask }) => print(augmentedTask),
    ),
  );
  memories
    .command('create')
    .argument('<task...>', 'the task that was done')
    .description(METHODS['memories.create'].doc)
    .requiredOption('--result <pass|fail>', 'how it ended')
    .requiredOption('--summary <text>', 'the task in one sentence')
    .requiredOption('--guidance <text>', 'what to do next time')
    .option('--mistake <text>', 'what exactly went wrong')
    .option('--action <text>', 'what exactly is right')
    .option('--tools <list>', 'the tools it is about, separated by commas')
    .option('--metadata <key=value>', 'to filter by; may be given again', pair)
    .action((words: string[], { mistake, action, tools, result, ...said }: CreateFlags, command: Command) =>
      withDaemon(
        command,
        (call) =>
          call('memories.create', {
            ...said,
            result: verdict(result),
            task: words.join(' '),
            keyMistake: mistake,
            correctAction: action,
            applicableTools: tools === undefined ? undefined : listOf(tools),
            cwd: process.cwd(),
            agent: 'person',
          }),
        ({ memory, created }) => print(created ? memory.id : `${memory.id} ${dim('was known already')}`),
      ),
    );
  memories
    .command('history')
    .argument('<id>')
    .description(METHODS['memories.history'].doc)
    .action((id: string, _flags: object, command: Command) =>
      withDaemon(command, (call) => call('memories.history', { id }), printReviews),
    );

  program
    .command('traces')
    .description(METHODS['traces.list'].doc)
    .option('--unreviewed', 'only those nobody has judged')
    .action((flags: { unreviewed?: boolean }, command: Command) =>
      withDaemon(command, (call) => call('traces.list', flags), printTraces),
    );
  program
    .command('review')
    .description(METHODS['traces.review'].doc)
    .argument('[trace]', 'its id; without one, the latest reviews are listed')
    .argument('[result]', 'pass or fail')
    .option('--take-back <review>', 'let a review count no longer', Number)
    .option('--give-again <review>', 'let one that was taken back count again', Number)
    .option('--alpha <0…1>', 'how much this review counts', share)
    .option('--feedback <text>', 'what you have to say about it')
    .action(
      (
        id: string | undefined,
        result: string | undefined,
        { takeBack, giveAgain, ...flags }: ReviewFlags,
        command: Command,
      ) => {
        const other = takeBack ?? giveAgain;
        if (other !== undefined)
          return withDaemon(
            command,
            (call) => call('reviews.undo', { id: other, undone: takeBack !== undefined }),
            (review) => printReviews([review]),
          );
        if (id === undefined) return withDaemon(command, (call) => call('reviews.list', {}), printReviews);
        return withDaemon(
          command,
          (call) => call('traces.review', { id, result: verdict(result), ...flags }),
          printReviewed,
        );
      },
    );
}

interface ReviewFlags {
  alpha?: number;
  feedback?: string;
  takeBack?: number;
  giveAgain?: number;
}

function queryFlags(command: Command): Command {
  return command
    .option('--limit <n>', 'at most this many', wholeNumber)
    .option('--lambda <0…1>', 'weight of utility against similarity', share)
    .option('--mmr-lambda <0…1>', 'weight of the score against novelty', share)
    .option('--threshold <0…1>', 'how similar a memory must be', share)
    .option('--metadata <key=value>', 'only memories that have it; may be given again', pair)
    .option('--global', 'in every project');
}

function queryOf(words: string[], { threshold, metadata, ...flags }: QueryFlags) {
  return {
    task: words.join(' '),
    cwd: process.cwd(),
    ...flags,
    metadataFilter: metadata,
    similarityThreshold: threshold,
  };
}

export function share(value: string): number {
  if (value.trim() === '' || Number.isNaN(Number(value)))
    throw new InvalidArgumentError('It takes a number.');
  return Number(value); // the daemon says what range it has
}

function verdict(word: string | undefined): 'pass' | 'fail' {
  if (word !== 'pass' && word !== 'fail') throw new InvalidArgumentError('It takes pass or fail.');
  return word;
}

/** `n=3` is a number and `on=true` a truth value, as they would be in JSON; all else is a text. */
function pair(
  given: string,
  before: Record<string, string | number | boolean> = {},
): Record<string, string | number | boolean> {
  const [key, ...rest] = given.split('=');
  if (!key || rest.length === 0) throw new InvalidArgumentError('It takes key=value.');
  const value = rest.join('=');
  return {
    ...before,
    [key]: /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value) ? (JSON.parse(value) as number | boolean) : value,
  };
}

const OUTCOME = { true: 'passed', false: 'failed', null: 'not judged' };

function printMemories({ memories, notices }: Output<'memories.query'>): void {
  for (const notice of notices) print(dim(notice));
  if (memories.length === 0) return print('No memory of such a task yet.');
  for (const { id, task, reflection, qValue, similarity, score, success } of memories) {
    const numbers = `q ${qValue.toFixed(2)} · similar ${similarity.toFixed(2)} · score ${score.toFixed(2)}`;
    print(
      bold(task),
      dim(`  ${id} · ${OUTCOME[`${success}`]} · ${numbers}`),
      `  ${reflection.replaceAll('\n', '\n  ')}`,
    );
  }
}

function printReviews(reviews: Reviews): void {
  if (reviews.length === 0) return print('Nothing was reviewed yet.');
  const rows = reviews.map(({ id, at, title, source, result, alpha, qBefore, qAfter, reason, undoneAt }) => [
    String(id),
    ago(at),
    undoneAt === null ? result : `${result}, taken back`,
    source,
    `${qBefore.toFixed(3)} → ${qAfter.toFixed(3)}`,
    String(alpha),
    title.slice(0, 40),
    reason.slice(0, 80),
  ]);
  print(...table(rows, ['review', 'when', 'result', 'by', 'utility', 'alpha', 'learning', 'why']));
}

function printTraces(traces: Output<'traces.list'>): void {
  if (traces.length === 0) return print('No trace yet.');
  const rows = traces.map(({ id, at, task, result, retrievedMemoryIds }) => [
    id,
    ago(at),
    result ?? 'not judged',
    plural(retrievedMemoryIds.length, 'memory', 'memories'),
    task.replace(/\s+/g, ' ').slice(0, 60),
  ]);
  print(...table(rows, ['trace', 'when', 'result', 'given', 'task']));
}

function printReviewed({ trace, reviews }: Output<'traces.review'>): void {
  print(
    `${trace.result === 'pass' ? 'Passed' : 'Failed'}: ${plural(reviews.length, 'memory', 'memories')} learned from it.`,
  );
  for (const { title, qBefore, qAfter } of reviews)
    print(`  ${qBefore.toFixed(3)} → ${qAfter.toFixed(3)}  ${title}`);
  print(
    dim(
      trace.memoryId
        ? `What it teaches is ${trace.memoryId}.`
        : trace.problem || 'What it teaches is being written.',
    ),
  );
}
