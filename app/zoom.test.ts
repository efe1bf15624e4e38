import { expect, test } from 'vitest';
import { zoomAfter } from './zoom.ts';

const press = (key: string, held: { control?: boolean; meta?: boolean; alt?: boolean }) => ({
  type: 'keyDown',
  key,
  control: false,
  meta: false,
  alt: false,
  ...held,
});

test('Ctrl with plus, minus and zero zooms, on macOS the command key', () => {
  const zoom = (key: string) => zoomAfter(1, press(key, { control: true }), 'linux');
  expect(['+', '=', '-', '0', 'k'].map(zoom)).toEqual([1.5, 1.5, 0.5, 0, undefined]);
  expect(zoomAfter(1, press('-', { meta: true }), 'darwin')).toBe(0.5);
  expect(zoomAfter(1, press('-', { control: true }), 'darwin')).toBeUndefined();
  expect(zoomAfter(1, press('-', { control: true, alt: true }), 'win32')).toBeUndefined();
  expect(zoomAfter(1, { ...press('-', { control: true }), type: 'keyUp' }, 'linux')).toBeUndefined();
});

test('it ends where a window becomes useless', () => {
  expect(zoomAfter(5, press('+', { control: true }), 'linux')).toBe(5);
  expect(zoomAfter(-3, press('-', { control: true }), 'linux')).toBe(-3);
});
