import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { keepReserve } from './home-folder.ts';

test('space is kept on a disk that has some, and given up once on a disk that is full', () => {
  const home = tempFolder();
  const file = join(home, 'reserve');
  const withFree = (bytes: number) => keepReserve(file, home, () => bytes);

  withFree(1_500_000);
  expect(existsSync(file), 'a disk that is nearly full keeps what it has').toBe(false);
  withFree(1e9);
  expect(statSync(file).size).toBe(1_000_000);
  withFree(0);
  expect(existsSync(file)).toBe(false);
  withFree(0);
  withFree(1e9);
  expect(statSync(file).size).toBe(1_000_000);
});

test('a folder that takes no file is no error: opening the home reports it', () => {
  expect(() => keepReserve(join(tempFolder(), 'reserve'), '/nowhere')).not.toThrow();
});
