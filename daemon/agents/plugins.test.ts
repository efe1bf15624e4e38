import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { isInstalled } from '../hooks/installed.ts';
import { tempFolder } from '../testing/temp-home.ts';
import type { InstallContext } from './agent.ts';
import { PLUGINS } from './plugins.ts';

const CONTEXT: InstallContext = {
  home: '/home/ada',
  environment: {},
  project: null,
  withTools: false,
  launcher: {
    node: '/usr/bin/node',
    script: '/opt/my reflect/reflect.cjs',
    environment: { REFLECT_HOME: '/home/ada/memory' },
    platform: 'linux',
    shim: '/home/ada/memory/bin/reflect',
  },
};

describe.each(PLUGINS)('the plugin for $agent', ({ agent, files, install }) => {
  const written = files(CONTEXT);

  test('has hooks or events, the MCP server, three commands and the skill', () => {
    const all = Object.entries(written);
    expect(all.filter(([, text]) => text.includes('"/opt/my reflect/reflect.cjs"')).length).toBeGreaterThan(
      0,
    );
    expect(
      all.filter(([name]) => /(?:^|[/-])(?:reflect|learn|recall)(?:\.md|\.toml|\/SKILL\.md)$/.test(name)),
    ).toHaveLength(3);
    expect(all.some(([name]) => name.endsWith('skills/project-memory/SKILL.md'))).toBe(true);
  });

  test('every file of JSON and TOML can be read', () => {
    for (const [name, text] of Object.entries(written)) {
      if (name.endsWith('.json')) expect(() => JSON.parse(text) as unknown).not.toThrow();
      if (name.endsWith('.toml'))
        expect(parseToml(text)).toMatchObject({ prompt: expect.stringContaining('{{args}}') as string });
    }
  });

  test('its hooks say that they are a plugin’s, all of them', () => {
    const hooks = Object.entries(written).filter(([name]) => /hooks\.json$|reflect\.js$/.test(name));
    expect(hooks).toHaveLength(1);
    for (const [name, text] of hooks) {
      const commands = text.match(/hook[\s",]+\w+[\s",]+[\w-]+/g)?.length ?? 0;
      expect(text.match(/--plugin/g)).toHaveLength(name.endsWith('.js') ? 1 : commands);
    }
  });

  test('the way to install it names its folder', () => {
    expect(install('/tmp/there').join('\n')).toContain('/tmp/there');
    expect(agent).not.toBe('');
  });
});

describe('a plugin beside `reflect install`', () => {
  const recorded = (file: string) => {
    const home = tempFolder();
    mkdirSync(join(home, 'installs'), { recursive: true });
    writeFileSync(join(home, 'installs', 'installs.json'), JSON.stringify([{ agent: 'claude-code', file }]));
    return home;
  };

  test('stays silent in the project that was connected, and speaks elsewhere', () => {
    const home = recorded(join('/home', 'ada', 'shop', '.claude', 'settings.local.json'));
    expect(isInstalled(home, 'claude-code', '/home/ada/shop/src')).toBe(true);
    expect(isInstalled(home, 'claude-code', '/home/ada/shopping')).toBe(false);
    expect(isInstalled(home, 'codex', '/home/ada/shop')).toBe(false);
  });

  test('stays silent everywhere if the agent was connected for the user', () => {
    const user = process.env.HOME ?? '';
    expect(
      isInstalled(recorded(join(user, '.claude', 'settings.json')), 'claude-code', '/home/ada/shop'),
    ).toBe(true);
    expect(
      isInstalled(recorded(join(user, '.config', 'opencode', 'plugins', 'reflect.js')), 'claude-code', '/x'),
    ).toBe(true);
  });

  test('speaks where nothing was ever connected', () => {
    expect(isInstalled(tempFolder(), 'claude-code', '/home/ada/shop')).toBe(false);
  });
});
