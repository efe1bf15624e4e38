import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { DaemonError } from '#contract/errors.ts';
import type { Input, Output } from '#contract/methods.ts';
import { deriveCommands, row } from '../derive.ts';
import { dim, plural, print } from '../output.ts';

const EXAMPLE = `
Example: [{"action":"CREATE","content":"Use pnpm","reason":"said so"},
          {"action":"UPDATE","targetId":"lrn-…","reason":"seen again","source":"session-7"},
          {"action":"DELETE","targetId":"lrn-…","reason":"no longer true"}]`;

const KNOWLEDGE_COMMANDS = [
  row({
    use: 'revise <file>',
    method: 'knowledge.revise',
    args: { file: 'a list of actions as JSON; - reads it from standard input' },
    flags: { actor: { doc: 'author shown in the history', value: 'name' } },
    help: EXAMPLE,
    input: ({ file }) => ({ actions: actionsIn(String(file)) }),
    print: printRevision,
    fails: ({ errors }) => errors.length > 0,
  }),
  row({
    use: 'maintain',
    method: 'knowledge.maintain',
    flags: { dryRun: 'preview only' },
    print: ({ dangling, relinked, orphans, dryRun }) => {
      if (dangling + relinked + orphans === 0) {
        print('The graph is in order.');
        return;
      }
      const removed = `${plural(orphans, 'entity', 'entities')} and ${plural(dangling, 'edge')} without a target`;
      print(
        `${dryRun ? 'Would remove' : 'Removed'} ${removed}, and ${dryRun ? 'link' : 'linked'} ${plural(relinked, 'isolated entity', 'isolated entities')}.`,
      );
    },
  }),
];

export const knowledgeCommands = (program: Command): void => deriveCommands(program, KNOWLEDGE_COMMANDS);

/** The daemon checks the actions; its error names the field. */
function actionsIn(file: string): Input<'knowledge.revise'>['actions'] {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
    return (Array.isArray(parsed) ? parsed : [parsed]) as Input<'knowledge.revise'>['actions'];
  } catch (error) {
    throw new DaemonError('bad-input', `${file}: ${(error as Error).message}`);
  }
}

function printRevision(revision: Output<'knowledge.revise'>): void {
  const { created, updated, deleted, skipped, adjudications, errors } = revision;
  print(`${created} created, ${updated} updated, ${deleted} deleted, ${skipped} skipped`);
  for (const { questionId, question } of adjudications)
    print(`? ${question}`, dim(`  reflect merges answer ${questionId} merge|keep-both|dismiss|replace`));
  for (const { index, message } of errors) print(`✗ action ${index + 1}: ${message}`);
}
