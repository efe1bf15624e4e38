import { expect, test } from 'vitest';
import * as z from 'zod';
import { type DraftKind, Drafts } from './drafts.svelte.ts';

type Note = { text: string; base: string };
const notes: DraftKind<Note> = {
  name: 'note',
  schema: z.object({ text: z.string(), base: z.string() }),
  isUnsaved: ({ text, base }) => text !== base,
};
const others: DraftKind<Note> = { ...notes, name: 'other' };

function storage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  } as unknown as Storage;
}

test('what was typed stays when one leaves; an untouched form does not', () => {
  const drafts = new Drafts([notes]);
  drafts.set(notes, 'a', { text: 'typed', base: '' });
  drafts.set(notes, 'b', { text: 'same', base: 'same' });
  drafts.leave(notes, 'a');
  drafts.leave(notes, 'b');
  expect(drafts.of(notes, 'a')).toEqual({ text: 'typed', base: '' });
  expect(drafts.of(notes, 'b')).toBeUndefined();
  expect([drafts.isUnsaved(notes, 'a'), drafts.hasUnsaved([notes]), drafts.hasUnsaved([others])]).toEqual([
    true,
    true,
    false,
  ]);
});

test('a draft can be typed into where it is shown', () => {
  const drafts = new Drafts([notes]);
  drafts.set(notes, 'a', { text: '', base: '' });
  const draft = drafts.of(notes, 'a');
  if (draft) draft.text = 'typed';
  expect(drafts.isUnsaved(notes, 'a')).toBe(true);
});

test('discarding gives back what was typed, and nothing for an untouched form', () => {
  const drafts = new Drafts([notes]);
  drafts.set(notes, 'a', { text: 'typed', base: '' });
  expect(drafts.discard(notes, 'a')).toEqual({ text: 'typed', base: '' });
  expect(drafts.discard(notes, 'a')).toBeNull();
  drafts.set(notes, 'a', { text: '', base: '' });
  expect(drafts.discard(notes, 'a')).toBeNull();
});

test('a reload brings back what was unsaved, and drops what does not fit its kind', () => {
  const kept = storage();
  const before = new Drafts([notes, others], kept);
  before.set(notes, 'a', { text: 'typed', base: '' });
  before.set(notes, 'b', { text: '', base: '' });
  before.store();
  const stored = JSON.parse(kept.getItem('reflect.drafts') ?? '{}') as Record<string, unknown>;
  kept.setItem('reflect.drafts', JSON.stringify({ ...stored, 'note:bad': { text: 3 }, 'gone:c': {} }));
  const after = new Drafts([notes, others], kept);
  expect(after.of(notes, 'a')).toEqual({ text: 'typed', base: '' });
  expect(after.of(notes, 'b')).toBeUndefined();
  expect(after.of(notes, 'bad')).toBeUndefined();
  kept.setItem('reflect.drafts', 'not json');
  expect(new Drafts([notes], kept).hasUnsaved([notes])).toBe(false);
});

test('windows that share a storage keep each other’s drafts, and each ends its own', () => {
  const kept = storage();
  const [one, other] = [new Drafts([notes], kept), new Drafts([notes], kept)];
  one.set(notes, 'a', { text: 'of one', base: '' });
  one.store();
  other.set(notes, 'b', { text: 'of the other', base: '' });
  other.store();
  const later = new Drafts([notes], kept);
  expect([later.of(notes, 'a')?.text, later.of(notes, 'b')?.text]).toEqual(['of one', 'of the other']);
  one.discard(notes, 'a');
  one.store();
  const last = new Drafts([notes], kept);
  expect([last.of(notes, 'a'), last.of(notes, 'b')?.text]).toEqual([undefined, 'of the other']);
});
