import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { KeyPress } from '../ui/keys.ts';
import { settingsCommands } from '../settings/commands.ts';
import { type Command, commandTable } from './command-table.ts';
import { COMMAND_TABLES } from './command-tables.ts';
import { Commands } from './commands.svelte.ts';
import { pageCommands } from './global-commands.ts';
import { matches } from './palette.svelte.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  defaultPrevented: false,
  target: null,
  ...more,
});
const app = commandTable('app', 'Everywhere', {
  one: { title: 'First page', keys: ['1'] },
  palette: { title: 'Palette', keys: ['Mod+k'] },
});
const list = commandTable('list', 'List', {
  next: { title: 'Next', keys: ['j', 'ArrowDown'], hint: 'move' },
  previous: { title: 'Previous', keys: ['k', 'ArrowUp'], hint: 'move' },
  left: { title: 'Left', keys: ['1'], row: 'Left or right' },
  right: { title: 'Right', keys: ['2'], row: 'Left or right' },
  plain: { title: 'Without a key' },
});

function world(keyMap = {}) {
  const done: string[] = [];
  let canTake = true;
  const commands = new Commands(keyMap);
  const say = (what: string) => () => void done.push(what);
  commands.bind(app, { one: say('page'), palette: say('palette') });
  const unbind = commands.bind(list, {
    next: say('next'),
    previous: say('previous'),
    left: { when: () => canTake, run: say('left') },
    right: say('right'),
    plain: say('plain'),
  });
  return { commands, done, unbind, refuse: () => (canTake = false) };
}

let isDialogOpen = false;
beforeEach(() => {
  isDialogOpen = false;
  vi.stubGlobal('document', { querySelector: () => (isDialogOpen ? {} : null) });
  vi.stubGlobal('navigator', { platform: 'Linux' });
  vi.stubGlobal(
    'HTMLElement',
    class {
      isContentEditable = false;
    },
  );
});

describe('a key', () => {
  test('runs the command of the open screen first, else that of the window', () => {
    const { commands, done, unbind, refuse } = world();
    commands.press(press('1'));
    refuse();
    commands.press(press('1'));
    unbind();
    expect(commands.press(press('j'))).toBe(false);
    expect(done).toEqual(['left', 'page']);
  });

  test('with the modifier works in a dialog, others do not', () => {
    const { commands, done } = world();
    isDialogOpen = true;
    commands.press(press('j'));
    commands.press(press('k', { ctrlKey: true }));
    expect(done).toEqual(['palette']);
  });

  test('can be another one', () => {
    const { commands, done } = world({ 'list.next': ['n'] });
    commands.press(press('j'));
    commands.press(press('n'));
    expect(done).toEqual(['next']);
    expect(commands.hints[0]).toEqual({ hint: 'move', keys: ['n', 'k'] });
  });
});

test('keys can be changed and given back, and single characters switched off', () => {
  const { commands, done } = world();
  commands.remap(list, 'next', 'n');
  commands.press(press('j'));
  commands.press(press('n'));
  expect([done, commands.isRemapped(list, 'next')]).toEqual([['next'], true]);
  expect(commands.keyHint(list, 'next')).toBe('n');
  commands.remap(list, 'next', null);
  commands.setSingleKeys(false);
  commands.press(press('j'));
  commands.press(press('ArrowDown'));
  commands.press(press('k', { ctrlKey: true }));
  expect(done).toEqual(['next', 'next', 'palette']);
  expect(commands.hints).toEqual([{ hint: 'move', keys: ['ArrowDown', 'ArrowUp'] }]);
  expect(commands.keyHint(list, 'next')).toBe('↓');
});

test('the commands of the open page are offered first, whatever was bound last', () => {
  const { commands } = world();
  commands.bind(commandTable('privacy', 'Delete', { delete: { title: 'Delete' } }), { delete: () => {} });
  expect(commands.available[0]?.name).toBe('privacy');
  expect(commands.availableOn('list').map(({ name }) => name)).toEqual(['list', 'privacy', 'app']);
});

test('a command of another page runs once that page has bound it', async () => {
  const { commands, done } = world();
  const page = commandTable('page', 'Page', { create: { title: 'New' } });
  commands.runOnceBound(page, 'create');
  const unbind = commands.bind(page, { create: () => done.push('created') });
  await expect.poll(() => done).toEqual(['created']);
  unbind();
  commands.bind(page, { create: () => done.push('again') });
  await new Promise((resolve) => setTimeout(resolve));
  expect(done).toEqual(['created']);
});

test('hints share a word, the list of keys a row, and what cannot be done now has no hint', () => {
  const { commands } = world();
  expect(commands.hints).toEqual([{ hint: 'move', keys: ['j', 'k'] }]);
  expect(commands.rowsOf(list)).toEqual([
    { row: 'Next', keys: ['j', 'ArrowDown'] },
    { row: 'Previous', keys: ['k', 'ArrowUp'] },
    { row: 'Left or right', keys: ['1', '2'] },
  ]);
});

test('while a person types in a field, a key that would only type has no hint', () => {
  const { commands } = world();
  expect(commands.hints).not.toEqual([]);
  commands.isTyping = true;
  expect(commands.hints).toEqual([]);
});

test('a hint whose keys are switched off is not shown', () => {
  const { commands } = world();
  commands.bind(commandTable('find', 'Find', { find: { title: 'Find', keys: ['/'], hint: 'find' } }), {
    find: () => undefined,
  });
  const hints = () => commands.hints.map(({ hint }) => hint);
  expect(hints()).toEqual(expect.arrayContaining(['move', 'find']));
  commands.setSingleKeys(false);
  expect(hints()).toEqual(['move']);
});

describe('two keys in a row', () => {
  const go = commandTable('go', 'Go to', { inbox: { title: 'Inbox', keys: ['g i'] } });

  test('run their command, and the second alone does not', () => {
    const { commands, done } = world();
    commands.bind(go, { inbox: () => done.push('inbox') });
    expect(commands.press(press('i'))).toBe(false);
    expect([commands.press(press('g')), commands.press(press('i'))]).toEqual([true, true]);
    expect(done).toEqual(['inbox']);
  });

  test('a key that completes nothing does what it does alone', () => {
    const { commands, done } = world();
    commands.bind(go, { inbox: () => done.push('inbox') });
    commands.press(press('g'));
    commands.press(press('j'));
    commands.press(press('i'));
    expect(done).toEqual(['next']);
  });
});

test('no key of one command is the first of two of another', () => {
  const keys = COMMAND_TABLES.flatMap(({ commands }) => Object.values(commands)).flatMap(
    ({ keys = [] }) => keys,
  );
  const firsts = keys.filter((key) => key.includes(' ')).map((key) => key.split(' ')[0]);
  expect(keys.filter((key) => firsts.includes(key))).toEqual([]);
});

test('no screen binds one key to two commands', () => {
  for (const { title, commands } of COMMAND_TABLES) {
    const keys = Object.values(commands).flatMap(({ keys = [] }) => keys);
    expect(keys, title).toEqual([...new Set(keys)]);
  }
});

test('no digit leads to a page, so that pages can use them', () => {
  expect(Object.values(pageCommands.commands).flatMap(({ keys = [] }) => keys)).not.toContainEqual(
    expect.stringMatching(/\d/),
  );
});

test('whatever Settings holds is found in the palette by other words too, from any page', () => {
  const found = (typed: string) =>
    Object.values<Command>(settingsCommands.commands)
      .filter(({ title, synonyms = '', elsewhere }) => elsewhere && matches(`${title} ${synonyms}`, typed))
      .map(({ title }) => title);
  expect(found('mcp')).toEqual(['Connect agents']);
  expect(found('restore')).toEqual(['Backups']);
  expect(found('exclude folder')).toEqual(['Ignored']);
});
