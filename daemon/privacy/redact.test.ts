import { expect, test } from 'vitest';
import { isAllRedacted, redact, redactAll } from './redact.ts';

const TOKEN = `ghp_${'aB3dE5gH7'.repeat(4)}`;

test('every text in a structure is redacted, at any depth, and all else keeps its value and type', () => {
  const counts: Record<string, number> = {};
  const given = {
    title: `Use ${TOKEN}`,
    tags: ['a', `<private>${TOKEN}</private>`],
    confidence: 0.5,
    branch: null,
    validated: true,
    nested: [{ deep: { text: TOKEN } }],
    nothing: undefined,
  };
  expect(redactAll(given, counts)).toEqual({
    title: 'Use [redacted github token]',
    tags: ['a', '[private content removed]'],
    confidence: 0.5,
    branch: null,
    validated: true,
    nested: [{ deep: { text: '[redacted github token]' } }],
    nothing: undefined,
  });
  expect(counts).toEqual({ 'github token': 2, 'private span': 1 });
});

test('what was found is added to what was counted before', () => {
  const counts = { 'github token': 3 };
  redactAll(TOKEN, counts);
  expect(counts).toEqual({ 'github token': 4 });
});

test('the given structure is not touched and a hostile key stays a plain key', () => {
  const given = JSON.parse(`{ "__proto__": { "admin": "${TOKEN}" } }`) as object;
  const clean = redactAll(given, {});
  expect(JSON.stringify(given)).toContain(TOKEN);
  expect(JSON.stringify(clean)).toBe('{"__proto__":{"admin":"[redacted github token]"}}');
  expect('admin' in {}).toBe(false);
});

test('redacting twice changes nothing more', () => {
  const once = redactAll({ text: `Authorization: Bearer ${'x7Yz9Qw3'.repeat(5)} and <private>a` }, {});
  expect(redactAll(once, {})).toEqual(once);
});

test('what is left of a text that was private throughout says nothing', () => {
  expect(isAllRedacted(redact(`<private>never use npm</private> — ${TOKEN}!`).text)).toBe(true);
  expect(isAllRedacted(redact(`use <private>npm</private>`).text)).toBe(false);
  expect(isAllRedacted('')).toBe(true);
});
