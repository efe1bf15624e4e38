import { type Command, InvalidArgumentError } from 'commander';
import { METHODS, type Output } from '#contract/methods.ts';
import { deriveCommands, row } from '../derive.ts';
import { ago, bold, dim, plural, print, table, tableOf } from '../output.ts';
import { withDaemon } from '../session.ts';
import { numberOf, wholeNumber } from '../values.ts';

const query = {
  args: { task: 'your task' },
  flags: {
    limit: 'maximum number',
    lambda: { doc: 'weight of utility against similarity', value: '0…1' },
    mmrLambda: { doc: 'weight of the score against novelty', value: '0…1' },
    threshold: { field: 'similarityThreshold', doc: 'minimum similarity', value: '0…1' },
    metadata: { field: 'metadataFilter', doc: 'only memories with this metadata; repeatable' },
    global: 'search every project',
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
    args: { task: 'the finished task' },
    flags: {
      result: { doc: 'its result', value: 'pass|fail', required: true },
      summary: { doc: 'the task in one sentence', required: true },
      guidance: { doc: 'what to do next time', required: true },
      mistake: { field: 'keyMistake', doc: 'the mistake' },
      action: { field: 'correctAction', doc: 'the correct action' },
      tools: { field: 'applicableTools', doc: 'tools it applies to, separated by commas' },
      metadata: 'metadata to filter by; repeatable',
    },
    input: () => ({ agent: 'person' }),
    print: ({ memory, created }) => print(created ? memory.id : `${memory.id} ${dim('already known')}`),
  }),
  row({ use: 'memories history <id>', method: 'memories.history', print: printReviews }),
  row({
    use: 'traces',
    method: 'traces.list',
    flags: { unreviewed: 'only runs without a review' },
    none: 'No runs yet.',
    print: tableOf(
      ({ id, at, task, result, retrievedMemoryIds }) => [
        id,
        ago(at),
        result ?? 'not reviewed',
        plural(retrievedMemoryIds.length, 'memory', 'memories'),
        task.replace(/\s+/g, ' ').slice(0, 60),
      ],
      ['trace', 'when', 'result', 'injected', 'task'],
    ),
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
    memories: 'Memories of past tasks, ranked by utility',
  });
  // Written by hand, because one command lists, gives and undoes reviews.
  program
    .command('review')
    .description(METHODS['traces.review'].doc)
    .argument('[trace]', 'its id; by default the latest reviews are listed')
    .argument('[result]', 'pass or fail')
    .option('--undo <review>', 'undo a review', wholeNumber)
    .option('--redo <review>', 'redo an undone review', wholeNumber)
    .option('--alpha <0…1>', 'learning rate of this review', numberOf)
    .option('--feedback <text>', 'your comment')
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
  if (word !== 'pass' && word !== 'fail') throw new InvalidArgumentError('Expected pass or fail.');
  return word;
}

const OUTCOME = { true: 'passed', false: 'failed', null: 'not reviewed' };

function printMemories({ memories, notices }: Output<'memories.query'>): void {
  for (const notice of notices) print(dim(notice));
  if (memories.length === 0) {
    print('No memories of similar tasks yet.');
    return;
  }
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
  if (reviews.length === 0) {
    print('No reviews yet.');
    return;
  }
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

function printReviewed({ trace, reviews }: Output<'traces.review'>): void {
  print(
    `${trace.result === 'pass' ? 'Passed' : 'Failed'}: ${plural(reviews.length, 'memory', 'memories')} learned from it.`,
  );
  for (const { title, qBefore, qAfter } of reviews)
    print(`  ${qBefore.toFixed(3)} → ${qAfter.toFixed(3)}  ${title}`);
  print(dim(trace.memoryId ? `Lesson: ${trace.memoryId}.` : trace.problem || 'The lesson is being written.'));
}
