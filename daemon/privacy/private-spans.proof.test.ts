import { describe, expect, test } from 'vitest';
import { stripPrivate } from './private-spans.ts';
import { redact } from './redact.ts';
import { redactSecrets } from './secrets.ts';

const SAID = 'The host is <private>db7.internal, ask Ada</private>; run the migration first.';

describe('M6 private-tag strip', () => {
  test('M6: a private span is taken out and marked, and the rest stays', () => {
    expect(stripPrivate(SAID)).toEqual({
      text: 'The host is [private content removed]; run the migration first.',
      removed: 1,
    });
  });

  test('M6: without the strip the private words would pass (counterfactual)', () => {
    expect(redactSecrets(SAID).text).toContain('db7.internal, ask Ada');
    expect(redact(SAID).text).not.toMatch(/db7|Ada/);
    expect(redact(SAID).counts).toEqual({ 'private span': 1 });
  });

  test('M6: a span that is never closed takes everything to the end', () => {
    expect(stripPrivate('keep <private>secret\nmore secret')).toEqual({
      text: 'keep [private content removed]',
      removed: 1,
    });
  });

  test('M6: an opening tag whose bracket was forgotten hides what follows all the same', () => {
    expect(stripPrivate('keep <private secret</private> keep too').text).toBe(
      'keep [private content removed] keep too',
    );
    expect(stripPrivate('keep <private\nsecret').text).toBe('keep [private content removed]');
  });

  test('M6: nested spans end with the outermost, so what follows the inner one does not leak', () => {
    expect(stripPrivate('a <private>1<private>2</private>3</private> b').text).toBe(
      'a [private content removed] b',
    );
  });

  test('M6: spans that cross each other hide until both are closed', () => {
    expect(stripPrivate('a <private>1<system-reminder>2</private>3</system-reminder> b').text).not.toMatch(
      /[123]/,
    );
  });

  test('M6: two spans leave what stands between them', () => {
    expect(stripPrivate('<private>1</private> and <private>2</private>')).toEqual({
      text: '[private content removed] and [private content removed]',
      removed: 2,
    });
  });

  test.each([
    'reflect-private',
    'claude-mem-context',
    'system-reminder',
    'system_instruction',
    'persisted-output',
    'PRIVATE',
    'Private',
  ])('M6: %s is stripped whatever its case, spacing and attributes', (tag) => {
    expect(stripPrivate(`a < ${tag} lang="en" >hidden</ ${tag.toUpperCase()} >b`).text).toMatch(
      /^a(?: \[private content removed\])? ?b$/,
    );
  });

  test('M6: what tools put into a prompt goes without a mark, for nobody said it', () => {
    expect(stripPrivate('Fix it.<system-reminder>be brief</system-reminder>').text).toBe('Fix it.');
  });

  test.each([
    'a < b and b > c',
    'Map<private_key, string>',
    '<private-key>x</private-key>',
    'a stray </private> end',
    'private class Foo<T> {}',
  ])('M6: %s is no private span', (text) => {
    expect(stripPrivate(text)).toEqual({ text, removed: 0 });
  });

  test.each([
    ['half tags', '<private'.repeat(125_000)],
    ['opening tags', '<private>'.repeat(110_000)],
    ['brackets', '<'.repeat(1_000_000)],
    ['brackets and spaces', '< '.repeat(500_000)],
    ['one bracket and spaces', `<${' '.repeat(1_000_000)}`],
    ['pairs', '<private></private>'.repeat(50_000)],
    [
      'different tags',
      '<private><system-reminder>'.repeat(20_000) + '</system-reminder></private>'.repeat(20_000),
    ],
  ])('M6: a megabyte of %s is stripped within the time a test has', (_what, text) => {
    expect(() => stripPrivate(text)).not.toThrow();
  });
});
