import { flushSync, untrack } from 'svelte';
import { expect, test } from 'vitest';
import { commandTable } from './command-table.ts';
import { Commands } from './commands.svelte.ts';

const learnings = commandTable('learnings', 'Learnings', { open: { title: 'Open', keys: ['o'] } });
const inbox = commandTable('inbox', 'Inbox', { open: { title: 'Open', keys: ['o'] } });

// Svelte may set up the next screen before it destroys the last one, and while it destroys, state reads as it was
// before both.
test('a screen that goes away unbinds its own commands and no others', () => {
  const commands = new Commands();
  let page = $state('learnings');
  const bindOn = (table: typeof inbox) =>
    page === table.name ? untrack(() => commands.bind(table, { open: () => undefined })) : undefined;
  const end = $effect.root(() => {
    $effect.pre(() => bindOn(inbox));
    $effect.pre(() => bindOn(learnings));
  });
  flushSync();
  page = 'inbox';
  flushSync();
  expect(commands.available.map(({ title }) => title)).toEqual(['Inbox']);
  end();
});
