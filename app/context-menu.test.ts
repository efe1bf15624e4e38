import { expect, test } from 'vitest';
import { contextMenu } from './context-menu.ts';

const editFlags = {
  canUndo: true,
  canRedo: false,
  canCut: true,
  canCopy: true,
  canPaste: true,
  canDelete: true,
  canSelectAll: true,
  canEditRichly: false,
};
const plain = { editFlags, isEditable: false, linkURL: '', selectionText: '' };
const names = (clicked: Partial<typeof plain>, done: string[] = []) =>
  contextMenu(
    { ...plain, ...clicked },
    { open: (address) => done.push(address), copy: (address) => done.push(address) },
  ).map(({ role, label, type }) => role ?? label ?? type);

test('a field offers to edit, a selection to copy, a link to open; bare ground nothing', () => {
  expect(names({ isEditable: true })).toEqual([
    'undo',
    'redo',
    'separator',
    'cut',
    'copy',
    'paste',
    'selectAll',
  ]);
  expect(names({ selectionText: 'some words' })).toEqual(['copy']);
  expect(names({ linkURL: 'https://example.org/', selectionText: 'x' })).toEqual([
    'Open link',
    'Copy link',
    'separator',
    'copy',
  ]);
  expect(names({})).toEqual([]);
});

test('a link to our own page, a file or a script is no link to open', () => {
  for (const linkURL of ['app://reflect/#/inbox', 'file:///etc/passwd', 'javascript:alert(1)'])
    expect(names({ linkURL })).toEqual([]);
});
