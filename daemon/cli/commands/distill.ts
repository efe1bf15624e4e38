import type { Command } from 'commander';
import type { Observation } from '#contract/distill.ts';
import { METHODS, type Output } from '#contract/methods.ts';
import { deriveCommands, type Given, row } from '../derive.ts';
import { PROJECT_FLAG, projectHere, projectNamed } from '../here.ts';
import { ago, bold, dim, plural, print, tableOf } from '../output.ts';
import { withDaemon } from '../session.ts';

/** The project is passed by id, so that a folder outside a project means global. */
const here = ({ global, project }: Given) => ({
  project: typeof project === 'string' ? projectNamed(project) : projectHere(global === true).project,
  cwd: undefined,
});

const DISTILL_COMMANDS = [
  row({
    use: 'persona',
    method: 'persona.list',
    flags: { global: 'only global ones', project: PROJECT_FLAG },
    input: here,
    none: 'Nothing known yet.',
    print: tableOf(({ field, value, confidence }) => [field, `${Math.round(confidence * 100)}%`, value]),
  }),
  row({
    use: 'principles',
    method: 'principles.list',
    none: 'No principles to decide.',
    print: (proposals) => {
      for (const { principle, sources } of proposals)
        print(
          `${bold(principle.title)} ${dim(principle.id)}`,
          ...sources.map(({ id, title }) => `  ${title} ${dim(id)}`),
        );
      print(dim('reflect principles accept|reject <id>'));
    },
  }),
  ...(['accept', 'reject'] as const).map((action) =>
    row({
      use: `principles ${action} <id>`,
      method: 'principles.decide',
      flags: { title: 'new title', rule: '' },
      input: () => ({ action }),
      print: ({ changeId }) => print('Done.', dim(`\`reflect undo ${changeId}\` undoes it.`)),
    }),
  ),
  row({
    use: 'observations',
    method: 'observations.list',
    flags: {
      global: 'only global ones',
      project: PROJECT_FLAG,
      all: 'from every project',
      retired: 'only retired ones',
      limit: 'maximum number',
    },
    input: ({ all, retired, ...given }) => ({
      ...(all ? { cwd: undefined } : here(given)),
      status: retired ? ('retired' as const) : ('active' as const),
    }),
    none: 'No observations yet.',
    print: (found) => found.forEach(printObservation),
  }),
  row({
    use: 'observations history <id>',
    method: 'observations.history',
    print: tableOf(({ at, actor, action, reason, before }) => [
      ago(at),
      actor,
      action,
      `${before ? `×${before.proofCount}` : ''} ${reason}`.trim(),
    ]),
  }),
  ...(
    [
      ['retire', 'DELETE', 'Retire an observation'],
      ['restore', 'RESTORE', 'Restore a retired observation'],
    ] as const
  ).map(([verb, action, doc]) =>
    row({
      use: `observations ${verb} <id>`,
      method: 'observations.revise',
      doc,
      flags: { reason: { value: 'text' } },
      input: ({ id, reason }) => ({
        actor: 'person',
        actions: [
          { action, targetId: String(id), ...(reason === undefined ? {} : { reason: String(reason) }) },
        ],
      }),
      print: ({ skipped, errors: [error] }) =>
        print(error ? error.message : skipped > 0 ? 'No changes needed.' : 'Done.'),
      fails: ({ errors }) => errors.length > 0,
    }),
  ),
];

/** Distill and conventions are written by hand, because each calls more than one method. */
export function distillCommands(program: Command): void {
  program
    .command('distill')
    .option('--now', 'even if it is not due')
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
  deriveCommands(program, DISTILL_COMMANDS);
  conventionCommands(program);
}

function printPass(pass: Output<'distill.run'> & { status: Output<'distill.status'> }): void {
  const { consolidation, observations, conventions, skills, status } = pass;
  const { created, updated, deleted } = observations;
  print(
    `${plural(created, 'new observation')}, ${updated} better proven, ${deleted} retired; ${plural(conventions, 'document')} and ${plural(skills, 'skill')} regenerated.`,
  );
  if (consolidation) {
    const { clusters, proposed, extended } = consolidation;
    print(
      `${plural(clusters, 'group')} of related learnings: ${plural(proposed, 'principle')} proposed, ${extended} better proven.`,
    );
    return;
  }
  print(
    dim(
      `${status.since} of ${status.threshold} learnings since the last pass${status.last ? `, ${ago(status.last.at)}` : ''}. \`reflect distill --now\` runs it anyway.`,
    ),
  );
}

function printObservation(observation: Observation): void {
  const { id, content, category, proofCount, project, status, retiredReason } = observation;
  print(
    `${bold(content)} ${dim(`×${proofCount} · ${category} · ${project || 'everywhere'} · ${id}`)}`,
    ...(status === 'retired' ? [dim(`  retired: ${retiredReason}`)] : []),
  );
}

function conventionCommands(program: Command): void {
  program
    .command('conventions')
    .option('--global', 'only global ones')
    .option('--project <id>', PROJECT_FLAG)
    .option('--refresh', 'regenerate it first')
    .option('--link', 'link it into this repository as CONVENTIONS.md')
    .option('--unlink', 'remove the link')
    .description(METHODS['conventions.get'].doc)
    .action(
      (
        {
          refresh,
          link,
          unlink,
          ...where
        }: { global?: boolean; project?: string; refresh?: boolean; link?: boolean; unlink?: boolean },
        command: Command,
      ) =>
        withDaemon(
          command,
          (call) => {
            if (link) return call('conventions.link', { cwd: process.cwd() });
            if (unlink) return call('conventions.unlink', { cwd: process.cwd() });
            return call(refresh ? 'conventions.refresh' : 'conventions.get', here({ ...where }));
          },
          ({ text, path, stale, link: linked }) => {
            if (text === '') {
              print('No conventions yet.');
              return;
            }
            print(
              text.trimEnd(),
              dim(`${path}${stale ? ' · stale' : ''}${linked ? ` · linked from ${linked}` : ''}`),
            );
          },
        ),
    );
}
