import { expect, test } from 'vitest';
import type { Slot } from '#contract/slots.ts';
import type { Call } from '#contract/methods.ts';
import { limitDrafts, newSlotDrafts, slotKey, slotDrafts, SlotsState } from './slots.svelte.ts';
import { Queries } from '../query/queries.svelte.ts';
import { Drafts } from '../drafts.svelte.ts';
import { inOneLine, slotNameOf } from './words.ts';

const slot = (change: Partial<Slot>): Slot => ({
  project: '',
  name: 'persona',
  content: 'old',
  description: '',
  sizeLimit: 10,
  readOnly: false,
  updatedAt: 1,
  position: 0,
  ...change,
});

function world() {
  const stored = [
    slot({ project: 'github.com/acme/billing', name: 'context' }),
    slot({}),
    slot({ name: 'rules', readOnly: true }),
  ];
  const written: unknown[] = [];
  const call = async (method: string, input: Partial<Slot>) => {
    if (method === 'slots.list') return stored;
    if (method === 'slots.history') return [];
    written.push(input);
    return slot(input);
  };
  const queries = new Queries(call as unknown as Call);
  const drafts = new Drafts([slotDrafts, newSlotDrafts, limitDrafts]);
  const slots = new SlotsState(queries, drafts);
  return { slots, queries, written, stored, drafts };
}

test('slots of every project come first, and the first is selected', async () => {
  const { slots } = world();
  await slots.load();
  expect(slots.groups.map(({ title }) => title)).toEqual(['Every project', 'github.com/acme/billing']);
  expect(slots.selected?.name).toBe('persona');
});

test('a text over the limit is not sent', async () => {
  const { slots, written } = world();
  await slots.load();
  slots.edit();
  slots.draft = 'x'.repeat(13);
  await expect(slots.save()).resolves.toBeNull();
  expect(slots.problem).toMatch(/3 characters too many/);
  expect(written).toEqual([]);
});

test('a save shows at once and gives back what was there', async () => {
  const { slots } = world();
  await slots.load();
  slots.edit();
  slots.draft = 'new';
  await expect(slots.save()).resolves.toMatchObject({ content: 'old' });
  expect(slots.selected?.content).toBe('new');
  expect(slots.draft).toBeNull();
});

test('a half-typed limit is a draft until it is set, and an emptied one costs nothing else', async () => {
  const { slots, drafts } = world();
  await slots.load();
  drafts.set(limitDrafts, slotKey(slot({})), { typed: '20', saved: '10' });
  expect(slots.isUnsaved(slot({}))).toBe(true);
  await slots.configure({ sizeLimit: 2000 });
  expect(slots.isUnsaved(slot({}))).toBe(false);
  const halfFilled = { project: '', name: 'release', description: '', sizeLimit: null };
  expect(newSlotDrafts.schema.parse(halfFilled)).toMatchObject({ name: 'release', sizeLimit: 2_000 });
});

test('a read-only slot cannot be edited', async () => {
  const { slots } = world();
  await slots.load();
  slots.move(1);
  expect(slots.selected?.name).toBe('rules');
  slots.edit();
  expect(slots.draft).toBeNull();
});

test('what an agent pins meanwhile shows without a click, and a draft is kept', async () => {
  const { slots, queries, stored } = world();
  await slots.load();
  slots.edit();
  slots.draft = 'mine';
  stored[1] = slot({ content: 'theirs' });
  queries.onEvent({ type: 'slots.changed', project: '', name: 'persona' });
  await expect.poll(() => slots.selected?.content).toBe('theirs');
  expect(slots.draft).toBe('mine');
});

test('a slot is moved among those of its project, at once on screen', async () => {
  const { slots, written } = world();
  await slots.load();
  const moving = slots.reorder(1);
  expect(slots.groups[0]?.items.map(({ name }) => name)).toEqual(['rules', 'persona']);
  const reverse = await moving;
  expect(written).toEqual([{ project: '', names: ['rules', 'persona'] }]);
  expect(await slots.reorder(1)).toBeNull();
  expect(written).toHaveLength(1);
  await reverse?.();
  expect(slots.groups[0]?.items.map(({ name }) => name)).toEqual(['persona', 'rules']);
});

test('unsaved text and a half-filled form are there again after another slot was read', async () => {
  const { slots } = world();
  await slots.load();
  slots.edit();
  slots.draft = 'mine';
  slots.move(1);
  expect(slots.draft).toBeNull();
  slots.startCreating();
  if (slots.creating) slots.creating.name = 'release';
  slots.move(-1);
  expect([slots.draft, slots.creating]).toEqual(['mine', null]);
  slots.startCreating();
  expect(slots.creating?.name).toBe('release');
  slots.discardNewSlot()?.();
  expect(slots.hasUnsavedNewSlot).toBe(true);
  expect(slots.discard()).not.toBeNull();
  expect(slots.draft).toBeNull();
});

test('a list that is pinned is shown in a row without its marks', () => {
  expect(inOneLine('- Short answers\n- `rg`, not grep\n\n## Later\n1. Ship')).toBe(
    'Short answers · `rg`, not grep · Later · Ship',
  );
});

test('a slot is named as people write', () => {
  expect(['Release checklist', 'release_checklist', '  Für Übersetzer! ', '2 rules'].map(slotNameOf)).toEqual(
    ['release_checklist', 'release_checklist', 'fur_ubersetzer', 'rules'],
  );
});
