import { expect, test } from 'vitest';
import { Resource } from './resource.svelte.ts';

test('an older answer that comes late is dropped', async () => {
  const resource = new Resource<string>();
  let answerFirst: (value: string) => void = () => {};
  const first = resource.load(() => new Promise((resolve) => (answerFirst = resolve)));
  await resource.load(async () => 'second');
  answerFirst('first');
  await first;
  expect(resource.value).toBe('second');
  expect(resource.loading).toBe(false);
});

test('a failed refresh keeps what was there and tells', async () => {
  const resource = new Resource<string>();
  await resource.load(async () => 'kept');
  await resource.load(async () => {
    throw new Error('no answer');
  });
  expect(resource.value).toBe('kept');
  expect(resource.error?.message).toBe('no answer');
});
