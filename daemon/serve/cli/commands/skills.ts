import type { Command } from 'commander';
import type { Skill } from '#contract/entities.ts';
import { METHODS } from '#contract/methods.ts';
import { bold, dim, plural, print } from '../output.ts';
import { withDaemon } from '../session.ts';
import { wholeNumber } from '../recall-flags.ts';

export function skillCommands(program: Command): void {
  const list = (_flags: object, command: Command) => withDaemon(command, (call) => call('skills.list', { cwd: process.cwd() }), (skills) => {
    if (skills.length === 0) return print('No agent has a skill installed here.');
    for (const skill of skills) printSkill(skill);
  });
  const skills = program.command('skills').description(METHODS['skills.list'].doc).action(list);
  skills.command('list').description(METHODS['skills.list'].doc).action(list);
  skills.command('find').argument('<query...>', 'what to do').option('--limit <n>', 'at most this many', wholeNumber).description(METHODS['skills.find'].doc)
    .action((words: string[], { limit }: { limit?: number }, command: Command) =>
      withDaemon(command, (call) => call('skills.find', { query: words.join(' '), cwd: process.cwd(), limit }), (hits) => {
        if (hits.length === 0) return print('No skill fits.');
        for (const { skill, score } of hits) printSkill(skill, dim(score.toFixed(1)));
      }));
  skills.command('refresh').description(METHODS['skills.refresh'].doc)
    .action((_flags: object, command: Command) => withDaemon(command, (call) => call('skills.refresh', { cwd: process.cwd() }), ({ found, read, removed }) =>
      print(`${plural(found, 'skill')}: ${read} new or changed, ${removed} gone.`)));
}

function printSkill({ name, agent, summary, path, stale }: Skill, beside = ''): void {
  print(`${bold(name)} ${dim(`${agent}${stale ? ' · stale' : ''}`)} ${beside}`.trimEnd(), `  ${summary}`, dim(`  ${path}`));
}
