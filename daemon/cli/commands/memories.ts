import { type Command, InvalidArgumentError } from 'commander';
import { METHODS, type Output } from '#contract/methods.ts';
import { deriveCommands, row } from '../derive.ts';
import { ago, bold, dim, plural, print, table } from '../output.ts';
import { withDaemon } from '../session.ts';
import { numberOf, wholeNumber } from '../values.ts';

const query = {
  args: { task: 'the task at hand' },
  flags: {
    limit: 'at most this many',
    lambda: { doc: 'weight of utility against similarity', value: '0…1' },
    mmrLambda: { doc: 'weight of the score against novelty', value: '0…1' },
    threshold: { field: 'similarityThreshold', doc: 'how similar a memory must be', value: '0…1' },
    metadata: { field: 'metadataFilter', doc: 'only memories that have it; may be given again' },
    global: 'in every project',
  },
};

const MEMORY_COMMANDS = [
  row({ use: 'memories query <task...>', method: 'memories.query', ...query, print: printMemories }),
  row({
    use: 'memories augment <task...>',
    method: 'memories.augment',
    ...query,
    print: ({ augmentedTask }) => print(augmentedTask),
  }),
  row({
    use: 'memories create <task...>',
    method: 'memories.create',
    args: { task: 'the task that was done' },
    flags: {
      result: { doc: 'how it ended', value: 'pass|fail', required: true },
      summary: { doc: 'the task in one sentence', required: true },
      guidance: { doc: 'what to do next time', required: true },
      mistake: { field: 'keyMistake', doc: 'what exactly went wrong' },
      action: { field: 'correctAction', doc: 'what exactly is right' },
      tools: { field: 'applicableTools', doc: 'the tools it is about, separated by commas' },
      metadata: 'to filter by; may be given again',
    },
    input: () => ({ agent: 'person' }),
    print: ({ memory, created }) => print(created ? memory.id : `${memory.id} ${dim('was known already')}`),
  }),
  row({ use: 'memories history <id>', method: 'memories.history', print: printReviews }),
  row({
    use: 'traces',
    method: 'traces.list',
    flags: { unreviewed: 'only those nobody has judged' },
    print: printTraces,
  }),
];

interface ReviewFlags {
  alpha?: number;
  feedback?: string;
  undo?: number;
  redo?: number;
}

export function memoryCommands(program: Command): void {
  deriveCommands(program, MEMORY_COMMANDS, {
    memories: 'Memories of past tasks, ranked by how well they have served',
  });
  // By hand: one word lists, gives and undoes, as a person thinks of it.
  program
    .command('review')
    .description(METHODS['traces.review'].doc)
    .argument('[trace]', 'its id; without one, the latest reviews are listed')
    .argument('[result]', 'pass or fail')
    .option('--undo <review>', 'let a review count no longer', wholeNumber)
    .option('--redo <review>', 'let an undone review count again', wholeNumber)
    .option('--alpha <0…1>', 'how much this review counts', numberOf)
    .option('--feedback <text>', 'what you have to say about it')
    .action((id: string | undefined, result: string | undefined, flags: ReviewFlags, command: Command) => {
      const { undo, redo, ...said } = flags;
      const other = undo ?? redo;
      if (other !== undefined)
        return withDaemon(
          command,
          (call) => call('reviews.undo', { id: other, undone: undo !== undefined }),
          (review) => printReviews([review]),
        );
      if (id === undefined) return withDaemon(command, (call) => call('reviews.list', {}), printReviews);
      return withDaemon(
        command,
        (call) => call('traces.review', { id, result: verdict(result), ...said }),
        printReviewed,
      );
    });
}

function verdict(word: string | undefined): 'pass' | 'fail' {
  if (word !== 'pass' && word !== 'fail') throw new InvalidArgumentError('It takes pass or fail.');
  return word;
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

function printReviews(reviews: Output<'memories.history'>): void {
  if (reviews.length === 0) return print('Nothing was reviewed yet.');
  const rows = reviews.map(({ id, at, title, source, result, alpha, qBefore, qAfter, reason, undoneAt }) => [
    String(id),
    ago(at),
    undoneAt === null ? result : `${result}, undone`,
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
