import type { Command } from 'commander';
import type { KnobState, SetKnob } from '#contract/settings.ts';
import type { Output } from '#contract/methods.ts';
import { deriveCommands, row } from '../derive.ts';
import { bytes, dim, plural, print, table, tableOf } from '../output.ts';
import { withDaemon } from '../session.ts';

const settings = {
  method: 'config.list',
  args: { search: 'only settings with this in their name or description' },
  none: 'No setting matches. `reflect config` lists them all.',
  print: tableOf<KnobState>(
    ({ name, value, source, doc, needsRestart, awaitsRestart }) => [
      name,
      JSON.stringify(value),
      source,
      `${doc}${awaitsRestart ? ' (changed; needs a restart)' : needsRestart ? ' (needs a restart)' : ''}`,
    ],
    ['setting', 'value', 'from', 'what it does'],
  ),
} as const;
const printSetting = ({ name, value, notices }: SetKnob) =>
  print(`${name} = ${JSON.stringify(value)}`, ...notices.map((notice) => dim(notice)));
const IN_PROJECT = { project: 'for this project only, in its .reflect/config.toml' };

const SETTINGS_COMMANDS = [
  row({ use: 'config [search]', ...settings }),
  row({ use: 'config list [search]', ...settings }),
  row({
    use: 'config set <name> <value>',
    method: 'config.set',
    doc: 'Change a setting, for all projects or with --project for this one',
    flags: IN_PROJECT,
    print: printSetting,
  }),
  row({
    use: 'config reset <name>',
    method: 'config.set',
    doc: 'Reset a setting to its default',
    flags: IN_PROJECT,
    input: () => ({ value: null }),
    print: printSetting,
  }),
  row({
    use: 'calibrate-thresholds',
    method: 'recall.calibrate',
    flags: { write: 'save the proposal in the home configuration' },
    print: printCalibration,
  }),
  row({ use: 'ports', method: 'ports.list', print: printPorts }),
  row({
    use: 'models',
    method: 'models.list',
    print: tableOf(({ id, role, state, slot, bytes: size, detail }) => [
      id,
      role,
      state,
      slot ? `${state === 'ready' || state === 'loaded' ? 'in use' : 'chosen'} as ${slot}` : '',
      bytes(size),
      detail,
    ]),
  }),
];

export function settingsCommands(program: Command): void {
  deriveCommands(program, SETTINGS_COMMANDS);
  // Written by hand, because it shows the download progress.
  program.commands
    .find((command) => command.name() === 'models')
    ?.command('get')
    .argument('[id]', 'only this model')
    .description('Download missing models and verify their hash')
    .action((id: string | undefined, _flags: object, command: Command) =>
      withDaemon(
        command,
        async (call) => {
          await call('models.get', { id });
          for (;;) {
            const list = await call('models.list', {});
            const fetching = list.filter(({ state }) => state === 'fetching');
            if (fetching.length === 0) return list;
            for (const { id: name, fetched, bytes: size } of fetching)
              process.stderr.write(`\r${name}  ${bytes(fetched)} of ${bytes(size)}   `);
            await new Promise((resolve) => setTimeout(resolve, 200));
          }
        },
        (list) => {
          const missing = list.filter(
            ({ state }) => state === 'missing' || state === 'wrong-hash' || state === 'failed',
          );
          print(
            '',
            ...missing.map(
              ({ id: name, detail }) => `${name} is not available here${detail ? `: ${detail}` : '.'}`,
            ),
          );
          print(
            `${plural(list.length - missing.length, 'model')} ready.`,
            dim('Reflect works without the rest.'),
          );
        },
      ),
    );
}

function printCalibration({ sampled, effect, toml, written }: Output<'recall.calibrate'>): void {
  if (sampled === 0) {
    print('No notes to measure yet.');
    return;
  }
  const { candidatesBefore, candidatesAfter, answersBefore, answersAfter } = effect;
  print(
    `Searched for ${plural(sampled, 'note')} by their own text. Floors that 90 % of right answers pass:`,
    '',
    toml,
    '',
    `Candidates: ${candidatesAfter} instead of ${candidatesBefore}. Right answers: ${answersAfter} of ${answersBefore}.`,
    dim(written ? 'Saved in config.toml.' : '`reflect calibrate-thresholds --write` saves them.'),
  );
}

function printPorts(ports: Output<'ports.list'>): void {
  const rows = ports.map(({ seed, what, built, knobs, module }) => [
    seed,
    built ? 'built' : '–',
    what,
    knobs.map(({ name, value }) => `${name}=${String(value)}`).join(' '),
    module ?? '',
  ]);
  print(...table(rows, ['port', 'state', 'what', 'knobs', 'module']));
  print('', `${ports.filter(({ built }) => built).length} of ${ports.length} built.`);
}
