import type { Knob } from './knob.ts';
import type { PortCard } from './port.ts';
import { SEED_PORTS } from './seeds.ts';

/** The tables of ports and settings as markdown. Generated from the code, so that the two cannot differ. */
export function portsDocument(
  knobs: ReadonlyArray<{ knob: Knob; port: string }>,
  ports: readonly PortCard[],
): string {
  const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
  const namesOf = (seed: string) =>
    ports
      .filter(({ seeds }) => seeds.includes(seed))
      .flatMap((port) => [port.switch, ...Object.values(port.knobs)])
      .map(({ name }) => `\`${name}\``);
  return [
    '# Ports and settings',
    '',
    'Made from the tables in the code by `node daemon/write-ports.ts`.',
    '',
    '## The 57 ports of the seeds',
    '',
    row('port', 'what', 'settings', 'module'),
    row('---', '---', '---', '---'),
    ...SEED_PORTS.map(({ seed, what, module }) => row(seed, what, namesOf(seed).join(' '), `\`${module}\``)),
    '',
    '### Differs on purpose',
    '',
    ...SEED_PORTS.filter(({ differs }) => differs).map(({ seed, differs }) => `- **${seed}**: ${differs}`),
    '',
    '## Settings',
    '',
    'A call argument wins over the environment, that over the project’s `.reflect/config.toml`, that over `config.toml` in the Reflect home, that over the default.',
    '',
    'A setting applies from the next use on, except where it says “at the next start”. A project may set those marked “per project”; the others are the user’s alone.',
    '',
    row('setting', 'default', 'range', 'belongs to', 'applies', 'what it does'),
    row('---', '---', '---', '---', '---', '---'),
    ...knobs.map(({ knob, port }) =>
      row(namesOfKnob(knob), JSON.stringify(knob.default), rangeOf(knob), port, appliesOf(knob), knob.doc),
    ),
    '',
  ].join('\n');
}

const namesOfKnob = ({ name, aliases = [] }: Knob) =>
  [`\`${name}\``, ...aliases.map((other) => `also \`${other}\``)].join(', ');

function appliesOf({ perProject, needsRestart }: Knob): string {
  if (needsRestart) return 'at the next start';
  return perProject ? 'per project' : '';
}

function rangeOf({ type, min, max, choices }: Knob): string {
  if (choices) return choices.join(', ');
  return min === undefined ? (type === 'flag' ? 'true, false' : 'text') : `${min} … ${max}`;
}
