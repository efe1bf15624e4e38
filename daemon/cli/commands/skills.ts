import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Skill } from '#contract/entities.ts';
import { METHODS } from '#contract/methods.ts';
import { bold, dim, plural, print } from '../output.ts';
import { withDaemon } from '../session.ts';
import { wholeNumber } from '../recall-flags.ts';

export function skillCommands(program: Command): void {
  const list = (_flags: object, command: Command) =>
    withDaemon(
      command,
      (call) => call('skills.list', { cwd: process.cwd() }),
      (skills) => {
        if (skills.length === 0) return print('No agent has a skill installed here.');
        for (const skill of skills) printSkill(skill);
      },
    );
  const skills = program.command('skills').description(METHODS['skills.list'].doc).action(list);
  skills.command('list').description(METHODS['skills.list'].doc).action(list);
  skills
    .command('find')
    .argument('<query...>', 'what to do')
    .option('--limit <n>', 'at most this many', wholeNumber)
    .description(METHODS['skills.find'].doc)
    .action((words: string[], { limit }: { limit?: number }, command: Command) =>
      withDaemon(
        command,
        (call) => call('skills.find', { query: words.join(' '), cwd: process.cwd(), limit }),
        (hits) => {
          if (hits.length === 0) return print('No skill fits.');
          for (const { skill, score } of hits) printSkill(skill, dim(score.toFixed(1)));
        },
      ),
    );
  skills
    .command('refresh')
    .description(METHODS['skills.refresh'].doc)
    .action((_flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('skills.refresh', { cwd: process.cwd() }),
        ({ found, read, removed }) =>
          print(`${plural(found, 'skill')}: ${read} new or changed, ${removed} gone.`),
      ),
    );
  skills
    .command('stale')
    .description(METHODS['skills.stale'].doc)
    .action((_flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('skills.stale', { cwd: process.cwd() }),
        (stale) => {
          if (stale.length === 0) return print('Every skill is up to date.');
          for (const { skill, why, learnings } of stale) {
            printSkill(
              skill,
              dim(
                why === 'marked' ? 'not offered until its file changes' : 'older than what was learned since',
              ),
            );
            for (const { id, title } of learnings) print(`  ${title} ${dim(id)}`);
          }
        },
      ),
    );
  promotion(skills.command('promote').description(METHODS['skills.promote'].doc))
    .option('--preview', 'show it; write nothing')
    .action(
      (id: string, { here, preview, ...how }: PromotionFlags & { preview?: boolean }, command: Command) =>
        withDaemon(
          command,
          (call) =>
            call(preview ? 'skills.preview' : 'skills.promote', {
              id,
              ...how,
              ...(here ? { cwd: process.cwd() } : {}),
            }),
          ({ path, markdown, place }) => {
            if (preview)
              print(
                dim(
                  `${path}${place === 'taken' ? ' (there is another file; it would not be overwritten)' : ''}`,
                ),
                markdown.trimEnd(),
              );
            else print(`Written to ${path}`, dim(`\`reflect skills demote ${path}\` takes it back.`));
          },
        ),
    );
  skills
    .command('demote')
    .argument('<path>', 'the SKILL.md')
    .description(METHODS['skills.demote'].doc)
    .action((path: string, _flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('skills.demote', { path: resolve(path) }),
        () => print('Taken back.'),
      ),
    );
}

interface PromotionFlags {
  agent: string;
  here?: boolean;
  name?: string;
}

const promotion = (command: Command) =>
  command
    .argument('<id>', 'the learning')
    .requiredOption(
      '--agent <name>',
      'whose skill it becomes: claude-code, codex, copilot-cli, gemini-cli, opencode …',
    )
    .option('--here', "into this project instead of the agent's home")
    .option('--name <name>', 'what the skill is called');

function printSkill({ name, agent, summary, path, stale }: Skill, beside = ''): void {
  print(
    `${bold(name)} ${dim(`${agent}${stale ? ' · stale' : ''}`)} ${beside}`.trimEnd(),
    `  ${summary}`,
    dim(`  ${path}`),
  );
}
