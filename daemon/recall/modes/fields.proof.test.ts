import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runDaemon } from '../../testing/running-daemon.ts';
import { world } from '../../testing/world.ts';
import { fieldNamed, projected } from './fields.ts';
import { hydrate } from './staged.ts';

const structured = {
  title: 'Cap the retries of the payment client',
  scope: 'global' as const,
  confidence: 0.9,
  problem: 'Retries hammered the provider',
  rootCause: 'No upper bound',
  fix: 'Stop after three',
  rule: 'Retry at most three times',
  keyInsight: 'Bound every loop that talks to others',
};

function frontMatter(home: string): string {
  const folder = join(home, 'documents');
  const [file = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return readFileSync(join(folder, file), 'utf8').split('\n---')[0] ?? '';
}

test('S1: structured input lands in the front matter, and what was not given stays out of it', async () => {
  const whole = await runDaemon();
  await whole.call('learnings.create', { note: structured });
  const all = frontMatter(whole.home);
  for (const line of [
    'problem: Retries hammered the provider',
    'root_cause: No upper bound',
    'fix: Stop after three',
    'rule: Retry at most three times',
    'key_insight: Bound every loop',
  ])
    expect(all).toContain(line);

  const bare = await runDaemon();
  await bare.call('learnings.create', { note: { title: 'Nothing but a title', scope: 'global' } });
  expect(frontMatter(bare.home)).not.toMatch(/^(?:problem|root_cause|fix|rule|key_insight):/m);

  const partial = await runDaemon();
  await partial.call('learnings.create', {
    note: { title: 'A rule alone', rule: 'Only this', scope: 'global' },
  });
  expect(frontMatter(partial.home)).toMatch(/^rule: Only this$/m);
  expect(frontMatter(partial.home)).not.toMatch(/^(?:problem|root_cause|fix|key_insight):/m);
});

test('S1: with a field each hit carries that field alone and costs less; without, it carries none', async () => {
  const { recall } = await world([{ ...structured, body: 'The story of the outage. '.repeat(50) }]);
  const ask = { query: 'payment retries', knobs: { RECALL_VECTOR_ARM: false } };
  const whole = await recall(ask);
  const rule = await recall({ ...ask, field: 'rule' });
  expect(rule.hits).toMatchObject([{ value: 'Retry at most three times' }]);
  expect(whole.hits[0]).not.toHaveProperty('value');
  expect(rule.tokens).toBeLessThan(whole.tokens);
});

test('S1: a field is named in either case, and figures come as figures', async () => {
  const {
    learnings: [learning],
  } = await world([structured]);
  const value = (name: string) => learning && projected(learning, fieldNamed(name));
  expect(['root_cause', 'rootCause', 'root-cause'].map(value)).toEqual(Array(3).fill('No upper bound'));
  expect(['confidence', 'confidence_num', 'confidenceNum'].map(value)).toEqual([0.9, 0.9, 0.9]);
  expect(['proof_count', 'proofCount'].map(value)).toEqual([1, 1]);
});

const inSections = {
  title: 'Told in its body',
  scope: 'global' as const,
  body: '# Hang\n\n## Problem\nIt hung.\n\n### Detail\nFor hours.\n\n## Solution\n```sh\n## no heading\nkill it\n```\n\n## Root Cause\nA lock.\n',
};

test('S1: what the front matter does not say, a section of the body may; else it is null', async () => {
  const {
    learnings: [learning],
  } = await world([inSections]);
  const value = (name: string) => learning && projected(learning, fieldNamed(name));
  expect(value('problem')).toBe('It hung.\n\n### Detail\nFor hours.');
  expect(value('fix')).toBe('```sh\n## no heading\nkill it\n```');
  expect(value('root_cause')).toBe('A lock.');
  expect([value('rule'), value('branch'), value('forget_after')]).toEqual([null, null, null]);
});

test('S1: no field is longer than 500 characters, and hydrate projects too', async () => {
  const {
    parts,
    learnings: [learning],
  } = await world([{ ...structured, fix: 'x'.repeat(2_000) }]);
  const ids = [learning?.id ?? ''];
  const [projection] = hydrate(parts, { ids, field: 'fix' }).learnings;
  expect(projection).toMatchObject({ found: true, value: `${'x'.repeat(499)}…` });
  expect(projection).not.toHaveProperty('note');
  expect(hydrate(parts, { ids }).learnings[0]).toHaveProperty('note');
});

test('S1: a field there is none of is refused with those there are', async () => {
  const { recall } = await world([structured]);
  for (const field of ['colour', 'constructor', '__proto__']) {
    await expect(recall({ query: 'payment', field })).rejects.toMatchObject({
      code: 'bad-input',
      detail: expect.stringMatching(/no field .*title, rule, fix, problem, root_cause/) as string,
    });
  }
});
