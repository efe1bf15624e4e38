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
import type { Agent, InstallContext } from './agent.ts';
import { AGENTS } from './all-agents.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { opencode } from './opencode.ts';
import { install, isPresent, requirePresent, uninstall } from './install.ts';
import { InstallRecords } from './records.ts';

interface World {
  context: InstallContext;
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
    context: { home, environment: {}, project: null, launcher, withTools: false },
    records: new InstallRecords(join(home, '.reflect')),
  };
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Every file of the user with its content. */
function filesIn(home: string): Record<string, string> {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('.reflect') && lstatSync(join(home, name)).isFile(),
  );
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(home, name), 'utf8')]));
}

/** Files of a person who uses every agent. */
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
  ])('is installed and uninstalled in %s without a trace', (_name, files) => {
    const { context, records, home } = world(files);
    const before = filesIn(home);
    const changes = install(agent, context, records);
    expect(changes.map(({ before: old, after }) => old === after)).toEqual(changes.map(() => false));
    for (const file of Object.keys(before)) expect(existsSync(join(home, file))).toBe(true);
    uninstall(agent, context, records);
    expect(filesIn(home)).toEqual(before);
    expect(records.of(changes[0]?.file ?? '')).toBeUndefined();
  });

  test('installing twice equals once, and a dry run writes nothing', () => {
    const { context, records, home } = world(LIVED_IN);
    expect(install(agent, context, records, true).every(({ before, after }) => before !== after)).toBe(true);
    expect(filesIn(home)).toEqual(LIVED_IN);
    install(agent, context, records);
    const once = filesIn(home);
    expect(install(agent, context, records).every(({ before, after }) => before === after)).toBe(true);
    expect(filesIn(home)).toEqual(once);
    uninstall(agent, context, records);
    expect(filesIn(home)).toEqual(LIVED_IN);
  });

  test('installs one hook per event, with a short timeout and the absolute path of our script', () => {
    const { context, records, home } = world();
    install(agent, { ...context, withTools: true }, records);
    const text = Object.values(filesIn(home)).join('\n');
    expect(text).toContain('/opt/no de/node');
    for (const [, seconds] of text.matchAll(/"timeout(?:Sec)?": (\d+)/g))
      expect(Number(seconds)).toBeLessThanOrEqual(3_000);
  });

  test('is installed in one project only', () => {
    const { context, records, home } = world(LIVED_IN);
    const project = join(home, 'shop');
    mkdirSync(project);
    const own = { ...context, project };
    const changed = install(agent, own, records)
      .filter(({ before, after }) => before !== after)
      .map(({ file }) => file);
    // Claude Code keeps a user's own servers for a project in one file, under the project's path.
    expect(
      changed.every(
        (file) => file.startsWith(project) || (agent === claudeCode && file.endsWith('.claude.json')),
      ),
    ).toBe(true);
    uninstall(agent, own, records);
    expect(filesIn(home)).toEqual(LIVED_IN);
  });

  test('is detected by its folder or its program', () => {
    const { context, home } = world();
    expect(isPresent(agent, context)).toBe(false);
    expect(() => requirePresent(agent, context)).toThrow(`${agent.name} is not installed`);
    put(join(home, 'bin', agent.program), '#!/bin/sh\n');
    chmodSync(join(home, 'bin', agent.program), 0o755);
    expect(isPresent(agent, { ...context, environment: { PATH: `/nowhere:${join(home, 'bin')}` } })).toBe(
      true,
    );
  });
});

test('updating our entries keeps the first original', () => {
  const { context, records, home } = world(LIVED_IN);
  install(claudeCode, context, records);
  install(claudeCode, { ...context, launcher: { ...context.launcher, script: '/new/reflect.cjs' } }, records);
  expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).not.toContain('/opt/reflect.cjs');
  uninstall(claudeCode, context, records);
  expect(filesIn(home)).toEqual(LIVED_IN);
});

test('later edits stay, and only our entries are removed', () => {
  const { context, records, home } = world(LIVED_IN);
  install(claudeCode, context, records);
  const file = join(home, '.claude.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"numStartups": 12', '"numStartups": 13'));
  uninstall(claudeCode, context, records);
  expect(filesIn(home)).toEqual({
    ...LIVED_IN,
    '.claude.json': LIVED_IN['.claude.json']?.replace('12', '13'),
  });
});

test('without install records Reflect still finds and removes its entries', () => {
  const { context, records, home } = world(LIVED_IN);
  install(codex, context, records);
  rmSync(join(home, '.reflect'), { recursive: true });
  uninstall(codex, context, records);
  expect(filesIn(home)).toEqual(LIVED_IN);
});

test('tool hooks are added and removed with the --tools flag', () => {
  const { context, records, home } = world();
  const hooks = () => readFileSync(join(home, '.claude/settings.json'), 'utf8');
  install(claudeCode, { ...context, withTools: true }, records);
  expect(hooks()).toContain('PostToolUse');
  install(claudeCode, context, records);
  expect(hooks()).not.toContain('PostToolUse');
  expect(hooks()).toContain('SessionStart');
});

test('a broken file is named with its line, and no file of that agent is touched', () => {
  const broken = { ...LIVED_IN, '.claude.json': '{\n  "numStartups": 12,\n  "mcpServers": {\n}' };
  const { context, records, home } = world(broken);
  expect(() => install(claudeCode, context, records)).toThrow(
    /\.claude\.json, line 4, is not valid JSON: close brace expected\. Nothing was changed/,
  );
  expect(filesIn(home)).toEqual(broken);
  const bytes = world();
  mkdirSync(join(bytes.home, '.codex'));
  writeFileSync(join(bytes.home, '.codex', 'config.toml'), Buffer.from([0x61, 0xff, 0xfe]));
  expect(() => install(codex, bytes.context, bytes.records)).toThrow('is not UTF-8 text');
});

test('a read-only file is refused before anything is written', () => {
  const { context, records, home } = world(LIVED_IN);
  chmodSync(join(home, '.claude.json'), 0o444);
  expect(() => install(claudeCode, context, records)).toThrow('.claude.json is read-only');
  expect(filesIn(home)).toEqual(LIVED_IN);
});

test('a file that cannot be written leaves the others as they were', () => {
  const { context, records, home } = world(LIVED_IN);
  // A link whose path leads through a file fails only on writing.
  rmSync(join(home, '.codex', 'config.toml'));
  symlinkSync(join(home, '.claude.json', 'config.toml'), join(home, '.codex', 'config.toml'));
  expect(() => install(codex, context, records)).toThrow(/config\.toml cannot be written/);
  expect(readFileSync(join(home, '.codex', 'hooks.json'), 'utf8')).toBe(LIVED_IN['.codex/hooks.json']);
});

test('a file where a folder is expected is reported', () => {
  const { context, records, home } = world({ '.config/opencode/plugins': 'not a folder' });
  expect(() => install(opencode, context, records)).toThrow(/reflect\.js cannot be reached: ENOTDIR/);
  expect(filesIn(home)).toEqual({ '.config/opencode/plugins': 'not a folder' });
});

test('the target of a symbolic link is edited; the link and the permissions stay', () => {
  const { context, records, home } = world({ 'dotfiles/settings.json': '{}\n' });
  const real = join(home, 'dotfiles', 'settings.json');
  chmodSync(real, 0o664);
  mkdirSync(join(home, '.claude'));
  const link = join(home, '.claude', 'settings.json');
  symlinkSync(real, link);
  install(claudeCode, context, records);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, 'utf8')).toContain('reflect.cjs');
  expect(statSync(real).mode & 0o777).toBe(0o664);
  uninstall(claudeCode, context, records);
  expect(realpathSync(link)).toBe(realpathSync(real));
  expect(readFileSync(real, 'utf8')).toBe('{}\n');
});

test('folders created for us are removed with us, unless they are in use', () => {
  const { context, records, home } = world();
  const [copilot] = AGENTS.filter(({ id }) => id === 'copilot-cli') as [Agent];
  install(copilot, context, records);
  put(join(home, '.copilot', 'config.json'), '{}');
  uninstall(copilot, context, records);
  expect(filesIn(home)).toEqual({ '.copilot/config.json': '{}' });
  expect(existsSync(join(home, '.copilot', 'hooks'))).toBe(false);
});

test('in any order of installing, editing and uninstalling, exactly what people wrote remains', () => {
  const step = fc.constantFrom<'install' | 'uninstall' | 'edit' | 'tools'>(
    'install',
    'uninstall',
    'edit',
    'tools',
  );
  fc.assert(
    fc.property(fc.constantFrom(...AGENTS), fc.array(step, { maxLength: 8 }), (agent, steps) => {
      const { context, records, home } = world(LIVED_IN);
      let expected = { ...LIVED_IN };
      const edited = (text: string) =>
        text
          .replace('"linear"', '"linear-2"')
          .replace('# mine', '# mine too')
          .replace('Dracula', 'Atom')
          .replace('// no sharing', '// never share');
      for (const each of steps) {
        if (each === 'install') install(agent, context, records);
        else if (each === 'tools') install(agent, { ...context, withTools: true }, records);
        else if (each === 'uninstall') uninstall(agent, context, records);
        else {
          for (const [file, text] of Object.entries(filesIn(home)))
            writeFileSync(join(home, file), edited(text));
          expected = Object.fromEntries(Object.entries(expected).map(([file, text]) => [file, edited(text)]));
        }
      }
      uninstall(agent, context, records);
      expect(filesIn(home)).toEqual(expected);
      rmSync(home, { recursive: true });
    }),
    { numRuns: 30 },
  );
});
