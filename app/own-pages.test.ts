import path from 'node:path';
import { expect, test } from 'vitest';
import { fileOfAddress } from './own-pages.ts';

const folder = path.resolve('/built/renderer');
const fileOf = (address: string) => fileOfAddress(address, folder)?.file;

test('the root is the main page, and other addresses are files of the built renderer', () => {
  expect(fileOf('app://reflect/')).toBe(path.join(folder, 'index.html'));
  expect(fileOf('app://reflect/quick-search.html?x=1#/y')).toBe(path.join(folder, 'quick-search.html'));
  expect(fileOfAddress('app://reflect/assets/main.js', folder)).toEqual({
    file: path.join(folder, 'assets', 'main.js'),
    type: 'text/javascript; charset=utf-8',
  });
});

test.each([
  'app://reflect/../secret.json',
  'app://reflect/%2e%2e/secret.json',
  'app://reflect/..%2fsecret.json',
  'app://reflect/assets/..%2f..%2fsecret.json',
  'app://reflect/..%5c..%5csecret%00.json',
  'app://reflect/%zz',
  'app://elsewhere/index.html',
  'file:///etc/passwd',
  'app://reflect/archive.zip',
])('%s is refused or stays inside the renderer', (address) => {
  const file = fileOf(address);
  expect(file === undefined || file.startsWith(folder + path.sep)).toBe(true);
});

test('an encoded step upwards is refused', () => {
  expect(fileOf('app://reflect/..%2fsecret.json')).toBeUndefined();
  expect(fileOf('app://reflect/..%2frenderer-other/x.json')).toBeUndefined();
});
