import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import type { Agent, Place } from './agent.ts';
import { AGENTS } from './all-agents.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { opencode } from './opencode.ts';
import { install, isPresent, requirePresent, uninstall } from './install.ts';
import { InstallRecords } from './records.ts';

interface World {
  place: Place;
  records: InstallRecords;
  home: string;
}

function world(files: Record<string, string> = {}): World {
  const home = join(tempFolder(), 'ada love');
  for (const [file, text] of Object.entries(files)) put(join(home, file), text);
  mkdirSync(home, { recursive: true });
  const launcher = {
    node: '/opt/no de/node',
    script: '/opt/reflect.cjs',
    environment: {},
    platform: 'linux' as const,
    shim: '/opt/bin/reflect',
  };
  return {
    home,
    place: { home, environment: {}, project: null, launcher, withTools: false },
    records: new InstallRecords(join(home, '.reflect')),
  };
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Every file of the user's, with its content. */
function filesIn(home: string): Record<string, string> {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('.reflect') && lstatSync(join(home, name)).isFile(),
  );
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(home, name), 'utf8')]));
}

/** What a person who uses them all may have. */
const LIVED_IN: Record<string, string> = {
  '.claude/settings.json':
    '{\n  "permissions": { "allow": ["Bash(make:*)"] },\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]\n  }\n}\n',
  '.claude.json':
    '{\n  "numStartups": 12,\n  "mcpServers": {\n    "linear": {\n      "type": "http",\n      "url": "https://mcp.linear.app/mcp"\n    }\n  },\n  "projects": {}\n}',
  '.codex/config.toml': '# mine\nmodel = "gpt-5"\n\n[mcp_servers.docs]\ncommand = "npx"\n',
  '.codex/hooks.json': '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"date >> ~/log"}]}]}}',
  '.copilot/mcp-config.json': '{\n\t"mcpServers": {}\n}\n',
  '.gemini/settings.json':
    '{\n    "ui": { "theme": "Dracula" }, // dark\n    "mcpServers": { "a": { "command": "a" } }\n}\n',
  '.config/opencode/opencode.jsonc':
    '{\n  "$schema": "https://opencode.ai/config.json",\n  // no sharing\n  "share": "disabled",\n}\n',
};

describe.each(AGENTS.map((agent) => [agent.id, agent] as const))('%s', (_, agent) => {
  test.each([
    ['a lived-in home', LIVED_IN],
    ['a fresh home', {}],
  ])('is plugged in and out of %s without a trace', (_name, files) => {
    const { place, records, home } = world(files);
    const before = filesIn(home);
    const changes = install(agent, place, records);
    expect(changes.map(({ before: old, after }) => old === after)).toEqual(changes.map(() => false));
    for (const file of Object.keys(before)) expect(existsSync(join(home, file))).toBe(true);
    uninstall(agent, place, records);
    expect(filesIn(home)).toEqual(before);
    expect(records.of(changes[0]?.file ?? '')).toBeUndefined();
  });

  test('plugged in twice is plugged in once, and a dry run writes nothing', () => {
    const { place, records, home } = world(LIVED_IN);
    expect(install(agent, place, records, true).every(({ before, after }) => before !== after)).toBe(true);
    expect(filesIn(home)).toEqual(LIVED_IN);
    install(agent, place, records);
    const once = filesIn(home);
    expect(install(agent, place, records).every(({ before, after }) => before === after)).toBe(true);
    expect(filesIn(home)).toEqual(once);
    uninstall(agent, place, records);
    expect(filesIn(home)).toEqual(LIVED_IN);
  });

  test('names no event twice, waits little for each, and starts our script by its whole path', () => {
    const { place, records, home } = world();
    install(agent, { ...place, withTools: true }, records);
    const text = Object.values(filesIn(home)).join('\n');
    expect(text).toContain('/opt/no de/node');
    for (const [, seconds] of text.matchAll(/"timeout(?:Sec)?": (\d+)/g))
      expect(Number(seconds)).toBeLessThanOrEqual(3_000);
  });

  test('is plugged into one project alone', () => {
    const { place, records, home } = world(LIVED_IN);
    const project = join(home, 'shop');
    mkdirSync(project);
    const own = { ...place, project };
    const changed = install(agent, own, records)
      .filter(({ before, after }) => before !== after)
      .map(({ file }) => file);
    // Claude Code keeps servers that are a person's own affair in its one file, under the project's path.
    expect(
      changed.every(
        (file) => file.startsWith(project) || (agent === claudeCode && file.endsWith('.claude.json')),
      ),
    ).toBe(true);
    uninstall(agent, own, records);
    expect(filesIn(home)).toEqual(LIVED_IN);
  });

  test('is known by its folder or its program', () => {
    const { place, home } = world();
    expect(isPresent(agent, place)).toBe(false);
    expect(() => requirePresent(agent, place)).toThrow(`${agent.name} is not on this machine`);
    put(join(home, 'bin', agent.program), '#!/bin/sh\n');
    chmodSync(join(home, 'bin', agent.program), 0o755);
    expect(isPresent(agent, { ...place, environment: { PATH: `/nowhere:${join(home, 'bin')}` } })).toBe(true);
  });
});

test('an update of ours keeps the first original', () => {
  const { place, records, home } = world(LIVED_IN);
  install(claudeCode, place, records);
  install(claudeCode, { ...place, launcher: { ...place.launcher, script: '/new/reflect.cjs' } }, records);
  expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).not.toContain('/opt/reflect.cjs');
  uninstall(claudeCode, place, records);
  expect(filesIn(home)).toEqual(LIVED_IN);
});

test('what somebody changed since stays, and only our entries go', () => {
  const { place, records, home } = world(LIVED_IN);
  install(claudeCode, place, records);
  const file = join(home, '.claude.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"numStartups": 12', '"numStartups": 13'));
  uninstall(claudeCode, place, records);
  expect(filesIn(home)).toEqual({
    ...LIVED_IN,
    '.claude.json': LIVED_IN['.claude.json']?.replace('12', '13'),
  });
});

test('without its records Reflect still finds and takes out its entries', () => {
  const { place, records, home } = world(LIVED_IN);
  install(codex, place, records);
  rmSync(join(home, '.reflect'), { recursive: true });
  uninstall(codex, place, records);
  expect(filesIn(home)).toEqual(LIVED_IN);
});

test('hooks around tools come and go with the wish for them', () => {
  const { place, records, home } = world();
  const hooks = () => readFileSync(join(home, '.claude/settings.json'), 'utf8');
  install(claudeCode, { ...place, withTools: true }, records);
  expect(hooks()).toContain('PostToolUse');
  install(claudeCode, place, records);
  expect(hooks()).not.toContain('PostToolUse');
  expect(hooks()).toContain('SessionStart');
});

test('a broken file is named with its line, and no file of that agent is touched', () => {
  const broken = { ...LIVED_IN, '.claude.json': '{\n  "numStartups": 12,\n  "mcpServers": {\n}' };
  const { place, records, home } = world(broken);
  expect(() => install(claudeCode, place, records)).toThrow(
    /\.claude\.json, line 4, is not valid JSON: close brace expected\. Nothing was changed/,
  );
  expect(filesIn(home)).toEqual(broken);
  const bytes = world();
  mkdirSync(join(bytes.home, '.codex'));
  writeFileSync(join(bytes.home, '.codex', 'config.toml'), Buffer.from([0x61, 0xff, 0xfe]));
  expect(() => install(codex, bytes.place, bytes.records)).toThrow('is not UTF-8 text');
});

test('a read-only file is refused before anything is written', () => {
  const { place, records, home } = world(LIVED_IN);
  chmodSync(join(home, '.claude.json'), 0o444);
  expect(() => install(claudeCode, place, records)).toThrow('.claude.json is read-only');
  expect(filesIn(home)).toEqual(LIVED_IN);
});

test('a file that cannot be written leaves the others as they were', () => {
  const { place, records, home } = world(LIVED_IN);
  // A link that leads through a file: seen only when it is written.
  rmSync(join(home, '.codex', 'config.toml'));
  symlinkSync(join(home, '.claude.json', 'config.toml'), join(home, '.codex', 'config.toml'));
  expect(() => install(codex, place, records)).toThrow(/config\.toml cannot be written/);
  expect(readFileSync(join(home, '.codex', 'hooks.json'), 'utf8')).toBe(LIVED_IN['.codex/hooks.json']);
});

test('a folder that is a file is told of', () => {
  const { place, records, home } = world({ '.config/opencode/plugins': 'not a folder' });
  expect(() => install(opencode, place, records)).toThrow(/reflect\.js cannot be reached: ENOTDIR/);
  expect(filesIn(home)).toEqual({ '.config/opencode/plugins': 'not a folder' });
});

test('a linked file is edited where it really is, and keeps its link and its permissions', () => {
  const { place, records, home } = world({ 'dotfiles/settings.json': '{}\n' });
  const real = join(home, 'dotfiles', 'settings.json');
  chmodSync(real, 0o664);
  mkdirSync(join(home, '.claude'));
  const link = join(home, '.claude', 'settings.json');
  symlinkSync(real, link);
  install(claudeCode, place, records);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, 'utf8')).toContain('reflect.cjs');
  expect(statSync(real).mode & 0o777).toBe(0o664);
  uninstall(claudeCode, place, records);
  expect(realpathSync(link)).toBe(realpathSync(real));
  expect(readFileSync(real, 'utf8')).toBe('{}\n');
});

test('folders that were made for us go with us, unless somebody uses them', () => {
  const { place, records, home } = world();
  const [copilot] = AGENTS.filter(({ id }) => id === 'copilot-cli') as [Agent];
  install(copilot, place, records);
  put(join(home, '.copilot', 'config.json'), '{}');
  uninstall(copilot, place, records);
  expect(filesIn(home)).toEqual({ '.copilot/config.json': '{}' });
  expect(existsSync(join(home, '.copilot', 'hooks'))).toBe(false);
});

test('in any order of installing, editing and uninstalling, what people wrote is what is left', () => {
  const step = fc.constantFrom<'install' | 'uninstall' | 'edit' | 'tools'>(
    'install',
    'uninstall',
    'edit',
    'tools',
  );
  fc.assert(
    fc.property(fc.constantFrom(...AGENTS), fc.array(step, { maxLength: 8 }), (agent, steps) => {
      const { place, records, home } = world(LIVED_IN);
      let expected = { ...LIVED_IN };
      const edited = (text: string) =>
        text
          .replace('"linear"', '"linear-2"')
          .replace('# mine', '# mine too')
          .replace('Dracula', 'Atom')
          .replace('// no sharing', '// never share');
      for (const each of steps) {
        if (each === 'install') install(agent, place, records);
        else if (each === 'tools') install(agent, { ...place, withTools: true }, records);
        else if (each === 'uninstall') uninstall(agent, place, records);
        else {
          for (const [file, text] of Object.entries(filesIn(home)))
            writeFileSync(join(home, file), edited(text));
          expected = Object.fromEntries(Object.entries(expected).map(([file, text]) => [file, edited(text)]));
        }
      }
      uninstall(agent, place, records);
      expect(filesIn(home)).toEqual(expected);
      rmSync(home, { recursive: true });
    }),
    { numRuns: 60 },
  );
});
