import type { Command } from 'commander';
import { METHODS } from '#contract/methods.ts';
import { bytes, dim, plural, print, table } from '../output.ts';
import { withDaemon } from '../session.ts';

export function settingsCommands(program: Command): void {
  const config = program
    .command('config')
    .description(METHODS['config.list'].doc)
    .action((_flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('config.list', { cwd: process.cwd() }),
        (knobs) =>
          print(
            ...table(
              knobs.map(({ name, value, source, doc }) => [name, JSON.stringify(value), source, doc]),
              ['setting', 'value', 'from', 'what it does'],
            ),
          ),
      ),
    );
  config
    .command('set')
    .argument('<name>')
    .argument('<value>')
    .description('Change a setting for all projects')
    .action((name: string, value: string, _flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('config.set', { name, value }),
        (knob) => print(`${knob.name} = ${JSON.stringify(knob.value)}`),
      ),
    );
  config
    .command('reset')
    .argument('<name>')
    .description('Go back to the default')
    .action((name: string, _flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('config.set', { name, value: null }),
        (knob) => print(`${knob.name} = ${JSON.stringify(knob.value)}`),
      ),
    );

  program
    .command('calibrate-thresholds')
    .description(METHODS['recall.calibrate'].doc)
    .option('--write', 'write the proposal to the home configuration')
    .action(({ write }: { write?: boolean }, command: Command) =>
      withDaemon(
        command,
        (call) => call('recall.calibrate', { write: write ?? false }),
        (result) => {
          if (result.sampled === 0) return print('There are no notes to measure yet.');
          const { candidatesBefore, candidatesAfter, answersBefore, answersAfter } = result.effect;
          print(
            `Asked ${plural(result.sampled, 'note')} about themselves. Floors that nine of ten right answers clear:`,
            '',
            result.toml,
            '',
          );
          print(
            `With them ${candidatesAfter} candidates instead of ${candidatesBefore}, and ${answersAfter} of ${answersBefore} right answers.`,
          );
          print(
            dim(
              result.written
                ? 'Written to config.toml.'
                : '`reflect calibrate-thresholds --write` writes them.',
            ),
          );
        },
      ),
    );

  program
    .command('ports')
    .description(METHODS['ports.list'].doc)
    .action((_flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('ports.list', {}),
        (ports) => {
          print(
            ...table(
              ports.map(({ seed, what, built, knobs, module }) => [
                seed,
                built ? 'built' : '–',
                what,
                knobs.map(({ name, value }) => `${name}=${String(value)}`).join(' '),
                module ?? '',
              ]),
              ['port', 'state', 'what', 'knobs', 'module'],
            ),
          );
          print('', `${ports.filter(({ built }) => built).length} of ${ports.length} built.`);
        },
      ),
    );

  const models = program
    .command('models')
    .description(METHODS['models.list'].doc)
    .action((_flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('models.list', {}),
        (list) =>
          print(
            ...table(
              list.map(({ id, role, state, slot, bytes: size, detail }) => [
                id,
                role,
                state,
                slot ? `in use as ${slot}` : '',
                bytes(size),
                detail,
              ]),
            ),
          ),
      ),
    );
  models
    .command('get')
    .argument('[id]', 'one model instead of all that are missing')
    .description('Fetch missing weights, verified by their hash')
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
              ({ id: name, detail }) => `${name} could not be had${detail ? `: ${detail}` : '.'}`,
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
