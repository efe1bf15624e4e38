import type { Knob } from './knob.ts';
import type { PortCard } from './port.ts';
import { SEED_PORTS } from './seeds.ts';

/** The tables of ports and settings as markdown: what docs and code say cannot differ, for one is made of the other. */
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
    '## Settings',
    '',
    'A call argument wins over the environment, that over the project’s `.reflect/config.toml`, that over `config.toml` in the Reflect home, that over the default.',
    '',
    row('setting', 'default', 'range', 'belongs to', 'what it does'),
    row('---', '---', '---', '---', '---'),
    ...knobs.map(({ knob, port }) =>
      row(`\`${knob.name}\``, JSON.stringify(knob.default), rangeOf(knob), port, knob.doc),
    ),
    '',
  ].join('\n');
}

function rangeOf({ type, min, max, choices }: Knob): string {
  if (choices) return choices.join(', ');
  return min === undefined ? (type === 'flag' ? 'true, false' : 'text') : `${min} … ${max}`;
}
