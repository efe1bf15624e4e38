import { expect, test } from 'vitest';
import { tempStore } from '../../testing/temp-home.ts';
import { findSlot, putSlot } from './slots.ts';

const slot = (project: string, content: string) => ({
  project,
  name: 'persona',
  content,
  description: 'what it is for',
  sizeLimit: 2_000,
  readOnly: false,
  updatedAt: 1,
});

test('a slot is read as written and replaced by name and project', () => {
  const { db } = tempStore();
  putSlot(db, slot('', 'old text'));
  putSlot(db, { ...slot('', 'new text'), readOnly: true, updatedAt: 2 });
  putSlot(db, slot('p', 'of p'));
  expect(findSlot(db, '', 'persona')).toMatchObject({
    ...slot('', 'new text'),
    readOnly: true,
    updatedAt: 2,
  });
  expect(findSlot(db, 'p', 'persona')).toMatchObject(slot('p', 'of p'));
  expect(findSlot(db, 'q', 'persona')).toBeNull();
});
