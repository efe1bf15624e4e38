import type { KnobState } from '#contract/settings.ts';
import type { Handlers } from '#contract/methods.ts';
import { identifyProject } from '../platform/project.ts';
import type { CallScope } from '../platform/settings.ts';
import { SEED_PORTS } from '../ports/seeds.ts';
import { KNOBS, PORTS } from '../registry.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Methods = 'config.list' | 'config.set' | 'ports.list';

export function configHandlers({ settings, capture }: DaemonParts): Pick<Handlers, Methods> {
  const states = (scope: CallScope): KnobState[] =>
    KNOBS.map(({ knob, port }) => ({ ...settings.state(knob, scope), port }));
  return {
    'config.list': ({ cwd }) => states({ projectRoot: cwd ? identifyProject(cwd)?.root : null }),
    'config.set': ({ name, value }) => {
      const knob = settings.set(name, value);
      const port = KNOBS.find((entry) => entry.knob.name === name)?.port ?? '';
      if (/^(?:signal|capture)\b/.test(port)) capture.restart();
      return { ...settings.state(knob), port };
    },
    'ports.list': () =>
      SEED_PORTS.map(({ seed, what, module, proof }) => {
        const ports = PORTS.filter(({ seeds }) => seeds.includes(seed));
        const knobs = ports.flatMap((port) => [port.switch, ...Object.values(port.knobs)]);
        return {
          seed,
          what,
          built: true,
          module,
          proof,
          knobs: knobs.map((knob) => ({ name: knob.name, value: settings.state(knob).value })),
        };
      }),
  };
}
