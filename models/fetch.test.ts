import { expect, test } from 'vitest';
import { main } from './fetch.ts';

const screen = () => {
  const written: string[] = [];
  return { written, write: (text: string) => written.push(text) };
};

test('a model the manifest does not have is refused with the ones it has', async () => {
  const { written, write } = screen();
  expect(await main(['--id', 'nothing'], {}, { write })).toBe(1);
  expect(written.join('')).toContain('There is no model nothing; the manifest has bge-small-en-v1.5');
});
