import { DaemonError } from '#contract/errors.ts';
import type { KnobState } from '#contract/settings.ts';
import type { Handlers } from '#contract/methods.ts';
import { DRAIN_KNOBS } from '../drain/knobs.ts';
import { chooseMode, modes } from '../drain/modes/choose.ts';
import { identifyProject } from '../platform/project.ts';
import type { CallScope } from '../platform/settings.ts';
import { knobsByName, unknownName, unknownVariables } from '../ports/knob-names.ts';
import { SEED_PORTS } from '../ports/seeds.ts';
import { KNOBS, PORTS } from '../registry.ts';
import type { DaemonParts } from './daemon-parts.ts';

const KNOWN = knobsByName(KNOBS.map(({ knob }) => knob));
const PORT_OF: ReadonlyMap<string, string> = new Map(KNOBS.map(({ knob, port }) => [knob.name, port]));

export function configHandlers({ settings, paths }: DaemonParts) {
  const states = (scope: CallScope): KnobState[] =>
    KNOBS.map(({ knob, port }) => ({ ...settings.state(knob, scope), port }));
  return {
    'config.list': ({ cwd, search = '' }) =>
      states({ projectRoot: cwd ? identifyProject(cwd)?.root : null }).filter(({ name, doc }) =>
        `${name} ${doc}`.toLowerCase().includes(search.toLowerCase()),
      ),
    'config.unknown': ({ variables, cwd }) => {
      const root = cwd ? identifyProject(cwd)?.root : undefined;
      return [
        ...unknownVariables(variables, KNOWN).map((name) => unknownName(name, KNOWN)),
        ...(root ? [settings.projectProblem(root)] : []),
      ].filter(Boolean);
    },
    'config.set': ({ name, value, cwd, project }) => {
      const projectRoot = cwd ? identifyProject(cwd)?.root : undefined;
      if (project && projectRoot === undefined)
        throw new DaemonError('bad-input', 'This folder is not in a project.');
      const knob = settings.set(name, value, project ? projectRoot : undefined);
      const state = { ...settings.state(knob, { projectRoot }), port: PORT_OF.get(knob.name) ?? '' };
      const notices = noticesOf(state, project ? 'project' : 'home');
      if (state.port === modes.id)
        notices.push(chooseMode(paths.modes, settings.resolver({ projectRoot })).notice);
      return { ...state, notices: notices.filter(Boolean) };
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
  } satisfies Partial<Handlers>;
}

/** Reasons why a setting is not used as it was just set, and limits of its new value. */
function noticesOf({ name, value, source, awaitsRestart }: KnobState, place: 'home' | 'project'): string[] {
  const notices: string[] = [];
  if (source === 'environment')
    notices.push(`The environment of the daemon sets ${name} to ${JSON.stringify(value)}, which wins.`);
  if (source === 'project' && place === 'home')
    notices.push(`This project sets ${name} to ${JSON.stringify(value)}, which wins here.`);
  if (awaitsRestart) notices.push('Needs a restart: `reflect restart`.');
  if (name === DRAIN_KNOBS.capture.name && value === false)
    notices.push(
      'Nothing is read from now on. Turned on again, Reflect also reads what was written meanwhile; `reflect ignore` leaves something out for good.',
    );
  return notices;
}
