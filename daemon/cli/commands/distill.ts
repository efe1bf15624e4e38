import type { Command } from 'commander';
import type { Observation } from '#contract/distill.ts';
import { METHODS, type Output } from '#contract/methods.ts';
import { projectHere } from '../here.ts';
import { ago, bold, dim, plural, print, table } from '../output.ts';
import { wholeNumber } from '../recall-flags.ts';
import { withDaemon } from '../session.ts';

interface Where {
  global?: boolean;
}

const here = ({ global }: Where) => ({ project: projectHere(global).project });

export function distillCommands(program: Command): void {
  program
    .command('distill')
    .option('--now', 'whether that is due or not')
    .description(METHODS['distill.run'].doc)
    .action(({ now }: { now?: boolean }, command: Command) =>
      withDaemon(
        command,
        async (call) => ({
          ...(await call('distill.run', { now })),
          status: await call('distill.status', {}),
        }),
        printPass,
      ),
    );
  principleCommands(program);
  observationCommands(program);
  conventionCommands(program);
  program
    .command('persona')
    .option('--global', 'what is true everywhere')
    .description(METHODS['persona.list'].doc)
    .action((where: Where, command: Command) =>
      withDaemon(
        command,
        (call) => call('persona.list', here(where)),
        (facts) => {
          if (facts.length === 0) return print('Nothing is known of that yet.');
          print(
            ...table(
              facts.map(({ field, value, confidence }) => [
                field,
                `${Math.round(confidence * 100)} %`,
                value,
              ]),
            ),
          );
        },
      ),
    );
}

function printPass({
  consolidation,
  observations,
  conventions,
  skills,
  status,
}: Output<'distill.run'> & { status: Output<'distill.status'> }): void {
  const { created, updated, deleted } = observations;
  print(
    `${plural(created, 'new observation')}, ${updated} better proven, ${deleted} retired; ${plural(conventions, 'document')} and ${plural(skills, 'skill')} written anew.`,
  );
  if (consolidation) {
    const { clusters, proposed, extended } = consolidation;
    return print(
      `${plural(clusters, 'group')} of learnings belong together: ${plural(proposed, 'principle')} proposed, ${extended} better proven.`,
    );
  }
  print(
    dim(
      `${status.since} of ${status.threshold} learnings since the last pass${status.last ? `, ${ago(status.last.at)}` : ''}. \`reflect distill --now\` does not wait.`,
    ),
  );
}

function principleCommands(program: Command): void {
  const principles = program
    .command('principles')
    .description(METHODS['principles.list'].doc)
    .action((_flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('principles.list', {}),
        (proposals) => {
          if (proposals.length === 0) return print('No principle waits for a decision.');
          for (const { principle, sources } of proposals)
            print(
              `${bold(principle.title)} ${dim(principle.id)}`,
              ...sources.map(({ id, title }) => `  ${title} ${dim(id)}`),
            );
          print(dim('reflect principles accept|reject <id>'));
        },
      ),
    );
  for (const action of ['accept', 'reject'] as const) {
    principles
      .command(action)
      .argument('<id>')
      .description(METHODS['principles.decide'].doc)
      .option('--title <text>', 'in your own words')
      .option('--rule <text>')
      .action((id: string, wording: { title?: string; rule?: string }, command: Command) =>
        withDaemon(
          command,
          (call) => call('principles.decide', { id, action, ...wording }),
          ({ changeId }) => print('Done.', dim(`\`reflect undo ${changeId}\` takes it back.`)),
        ),
      );
  }
}

function observationCommands(program: Command): void {
  const observations = program
    .command('observations')
    .option('--global', 'of what is true everywhere')
    .option('--all', 'of every project')
    .option('--retired', 'those that were retired')
    .option('--limit <n>', 'at most this many', wholeNumber)
    .description(METHODS['observations.list'].doc)
    .action(
      (
        { all, retired, limit, ...where }: Where & { all?: boolean; retired?: boolean; limit?: number },
        command: Command,
      ) =>
        withDaemon(
          command,
          (call) =>
            call('observations.list', {
              ...(all ? {} : here(where)),
              status: retired ? 'retired' : 'active',
              limit,
            }),
          (found) => {
            if (found.length === 0) return print('Nothing was observed yet.');
            found.forEach(printObservation);
          },
        ),
    );
  observations
    .command('history')
    .argument('<id>')
    .description(METHODS['observations.history'].doc)
    .action((id: string, _flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('observations.history', { id }),
        (changes) =>
          print(
            ...table(
              changes.map(({ at, actor, action, reason, before }) => [
                ago(at),
                actor,
                action,
                `${before ? `×${before.proofCount}` : ''} ${reason}`.trim(),
              ]),
            ),
          ),
      ),
    );
  for (const [word, action, doc] of [
    ['retire', 'DELETE', 'Let an observation no longer hold'],
    ['restore', 'RESTORE', 'Let a retired observation hold again'],
  ] as const) {
    observations
      .command(word)
      .argument('<id>')
      .option('--reason <text>')
      .description(doc)
      .action((targetId: string, { reason }: { reason?: string }, command: Command) =>
        withDaemon(
          command,
          async (call) => {
            const revised = await call('observations.revise', {
              actions: [{ action, targetId, reason }],
              actor: 'person',
            });
            if (revised.errors[0]) throw new Error(revised.errors[0].message);
            return revised;
          },
          ({ skipped }) => print(skipped > 0 ? 'It is so already.' : 'Done.'),
        ),
      );
  }
}

function printObservation({
  id,
  content,
  category,
  proofCount,
  project,
  status,
  retiredReason,
}: Observation): void {
  print(
    `${bold(content)} ${dim(`×${proofCount} · ${category} · ${project || 'everywhere'} · ${id}`)}`,
    ...(status === 'retired' ? [dim(`  retired: ${retiredReason}`)] : []),
  );
}

function conventionCommands(program: Command): void {
  program
    .command('conventions')
    .option('--global', 'what is true everywhere')
    .option('--refresh', 'write it anew first')
    .option('--link', 'link it into this repository as CONVENTIONS.md')
    .option('--unlink', 'take the link out again')
    .description(METHODS['conventions.get'].doc)
    .action(
      (
        { refresh, link, unlink, ...where }: Where & { refresh?: boolean; link?: boolean; unlink?: boolean },
        command: Command,
      ) =>
        withDaemon(
          command,
          (call) => {
            if (link) return call('conventions.link', { cwd: process.cwd() });
            if (unlink) return call('conventions.unlink', { cwd: process.cwd() });
            return call(refresh ? 'conventions.refresh' : 'conventions.get', here(where));
          },
          ({ text, path, stale, link: linked }) => {
            if (text === '') return print('There are no conventions yet.');
            print(
              text.trimEnd(),
              dim(`${path}${stale ? ' · stale' : ''}${linked ? ` · linked from ${linked}` : ''}`),
            );
          },
        ),
    );
}
