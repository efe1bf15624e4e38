import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Skill } from '#contract/skills.ts';
import type { Output } from '#contract/methods.ts';
import { deriveCommands, row } from '../derive.ts';
import { bold, dim, plural, print } from '../output.ts';

const list = {
  method: 'skills.list',
  none: 'No skills installed.',
  print: (skills: Skill[]) => skills.forEach((skill) => printSkill(skill)),
} as const;

const SKILL_COMMANDS = [
  row({ use: 'skills', ...list }),
  row({ use: 'skills list', ...list }),
  row({
    use: 'skills find <query...>',
    method: 'skills.find',
    args: { query: 'the topic' },
    flags: { limit: 'maximum number' },
    none: 'No matching skills.',
    print: (hits) => hits.forEach(({ skill, score }) => printSkill(skill, dim(score.toFixed(1)))),
  }),
  row({
    use: 'skills refresh',
    method: 'skills.refresh',
    print: ({ found, read, removed }) =>
      print(`${plural(found, 'skill')}: ${read} new or changed, ${removed} gone.`),
  }),
  row({
    use: 'skills stale',
    method: 'skills.stale',
    none: 'All skills are up to date.',
    print: printStale,
  }),
  row({
    use: 'skills promote <id>',
    method: 'skills.promote',
    preview: 'skills.preview',
    args: { id: 'the learning' },
    flags: {
      agent: {
        doc: 'agent that gets the skill: claude-code, codex, copilot-cli, gemini-cli, opencode …',
        value: 'name',
        required: true,
      },
      here: "into this project instead of the agent's home",
      name: { doc: 'name of the skill', value: 'name' },
    },
    input: ({ here }) => ({ cwd: here ? process.cwd() : undefined }),
    print: ({ path, markdown, place }, { preview }) => {
      const taken = place === 'taken' ? ' (exists already; Reflect will not overwrite it)' : '';
      if (preview) print(dim(`${path}${taken}`), markdown.trimEnd());
      else print(`Written to ${path}`, dim(`\`reflect skills demote ${path}\` removes it.`));
    },
  }),
  row({
    use: 'skills demote <path>',
    method: 'skills.demote',
    args: { path: 'the SKILL.md' },
    input: ({ path }) => ({ path: resolve(String(path)) }),
    print: () => print('Removed.'),
  }),
];

export const skillCommands = (program: Command): void => deriveCommands(program, SKILL_COMMANDS);

function printStale(stale: Output<'skills.stale'>): void {
  for (const { skill, why, learnings } of stale) {
    printSkill(
      skill,
      dim(why === 'marked' ? 'not offered until you change its file' : 'newer learnings exist'),
    );
    for (const { id, title } of learnings) print(`  ${title} ${dim(id)}`);
  }
}

function printSkill({ name, agent, summary, path, stale }: Skill, beside = ''): void {
  print(
    `${bold(name)} ${dim(`${agent}${stale ? ' · stale' : ''}`)} ${beside}`.trimEnd(),
    `  ${summary}`,
    dim(`  ${path}`),
  );
}
