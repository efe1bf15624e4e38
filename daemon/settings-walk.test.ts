import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import { configHandlers } from './handlers/config.ts';
import type { DaemonParts } from './handlers/daemon-parts.ts';
import { pathsOf } from './platform/paths.ts';
import { Settings } from './platform/settings.ts';
import type { Knob, KnobValue } from './ports/knob.ts';
import { KNOBS, PORTS } from './registry.ts';
import { tempFolder } from './testing/temp-home.ts';

const ALL = KNOBS.map(({ knob }) => knob);

/** A value that the setting accepts and that is not its default. */
function otherValue({ type, default: value, min, max, choices }: Knob): KnobValue {
  switch (type) {
    case 'flag':
      return !value;
    case 'choice':
      return choices?.find((choice) => choice !== value) ?? '';
    case 'text':
      return `${String(value)}x`;
    case 'number':
    case 'integer':
      return (value === max ? min : max) ?? 0;
  }
}

function world() {
  const folder = tempFolder();
  const file = join(folder, 'config.toml');
  const project = join(folder, 'project');
  mkdirSync(join(project, '.reflect'), { recursive: true });
  const open = (environment: NodeJS.ProcessEnv = {}) => new Settings(file, environment, ALL);
  return { file, project, projectFile: join(project, '.reflect', 'config.toml'), open };
}

const EVERYWHERE = { projectRoot: null };

test.each(ALL.map((knob) => ({ name: knob.name, knob })))(
  '$name counts from every place where it may be set, and from no other',
  ({ name, knob }) => {
    const { file, project, projectFile, open } = world();
    const value = otherValue(knob);

    for (const alias of [name, ...(knob.aliases ?? [])])
      expect(open({ [alias]: String(value) }).state(knob)).toMatchObject({ value, source: 'environment' });

    const settings = open();
    const resolve = settings.resolver(EVERYWHERE); // made before the changes, as the parts of a running daemon have it
    const paths = pathsOf(dirname(file));
    const config = configHandlers({ settings, paths } as DaemonParts); // those of the settings use nothing else
    expect(settings.resolver({ ...EVERYWHERE, call: { [name]: value } })(knob)).toBe(value);

    writeFileSync(projectFile, stringify({ [name]: value }));
    const inProject = knob.perProject ? { value, source: 'project' } : { value: knob.default };
    expect(settings.state(knob, { projectRoot: project })).toMatchObject(inProject);
    expect(settings.projectProblem(project)).toMatch(knob.perProject ? /^$/ : /is not read per project/);
    writeFileSync(projectFile, '');
    const setInProject = () => config['config.set']({ name, value, project: true, cwd: project });
    if (knob.perProject) expect(setInProject()).toMatchObject(inProject);
    else expect(setInProject).toThrow(`${name} is not read per project`);
    expect(resolve(knob)).toBe(knob.default);

    const needsRestart = knob.needsRestart ?? false;
    const set = config['config.set']({ name, value, project: false });
    expect(set).toMatchObject({ value, source: 'home', awaitsRestart: needsRestart });
    expect(set.notices.includes('Needs a restart: `reflect restart`.')).toBe(needsRestart);
    expect(resolve(knob)).toBe(value);
    expect(open().state(knob)).toMatchObject({ value, source: 'home', awaitsRestart: false });
    const reset = config['config.set']({ name, value: null, project: false });
    expect(reset).toMatchObject({ value: knob.default, source: 'default', awaitsRestart: false });
    expect(readFileSync(file, 'utf8')).toBe('');
  },
);

test('no setting of a port is read by nobody', () => {
  const sources = readdirSync('daemon', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join('daemon', path), 'utf8'))
    .join('\n');
  const isReadIn = (key: string) => sources.indexOf(key) !== sources.lastIndexOf(key);
  const unread = PORTS.flatMap(({ id, knobs }) =>
    Object.keys(knobs).flatMap((key) => (isReadIn(key) ? [] : [`${id}.${key}`])),
  );
  expect(unread).toEqual([]);
});
