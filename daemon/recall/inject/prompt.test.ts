import { describe, expect, test } from 'vitest';
import { NO_WEIGHTS } from '../../inference/testing.ts';
import { needs } from '../../testing/needs.ts';
import { BILLING, sessionStart } from '../../testing/session-start.ts';
import type { Given } from '../../testing/world.ts';
import { injectForPrompt, promptTier } from './prompt.ts';

const PROTO: Given = {
  title: 'Regenerate the gRPC clients after editing payments.proto',
  rule: 'Run make proto-gen.',
  project: BILLING,
  daysAgo: 3,
};
const ROUND: Given = { title: 'Round VAT per invoice line, never on the total', project: BILLING };

async function asked(given: Given[]) {
  const { parts, cwd, learnings } = await sessionStart(given);
  const ask = (prompt: string, injected: string[] = []) =>
    injectForPrompt(parts, { cwd, prompt, injected: new Set(injected) });
  return { ask, learnings, set: (name: string, value: unknown) => parts.settings.set(name, value) };
}

describe('with the real embedders', () => {
  needs(NO_WEIGHTS);

  test('a prompt with the same meaning in other words gets the learning; one about something else gets nothing', async () => {
    const { ask, learnings } = await asked([PROTO, ROUND]);
    const { text, ids } = await ask('after editing the payments proto, why are the gRPC clients stale?');
    expect(ids).toEqual([learnings[0]?.id]);
    expect(text).toMatch(
      /^Notes from earlier sessions.+\n\n## Learned earlier in billing-svc on this \(.+\)\n- \*\*Regenerate the gRPC clients/,
    );
    for (const prompt of [
      'write a blog post about gardening in spring',
      'rename the settings page and move the button left',
      'what is the weather like in Lisbon today?',
    ])
      expect((await ask(prompt)).text, prompt).toBe('');
  });
});

test('a learning already in the session is not injected again', async () => {
  const { ask, learnings } = await asked([PROTO]);
  const prompt = 'Regenerate the gRPC clients after editing payments.proto please';
  expect((await ask(prompt)).ids).toHaveLength(1);
  expect(await ask(prompt, [learnings[0]?.id ?? ''])).toEqual({ text: '', ids: [], tokens: 0 });
});

test('the bar decides, and the switch', async () => {
  const { ask, set } = await asked([PROTO]);
  const prompt = 'clients of payments, invoices, refunds, ledgers and customers';
  expect((await ask(prompt)).ids).toHaveLength(0);
  set(promptTier.knobs.minRelevance.name, 0.1);
  expect((await ask(prompt)).ids).toHaveLength(1);
  set(promptTier.switch.name, false);
  expect((await ask(prompt)).ids).toHaveLength(0);
});

test('no more is injected than fits, and warnings come first', async () => {
  const lesson = (index: number, more: object = {}): Given => ({
    title: `Regenerate the gRPC clients after editing file${index}.proto`,
    rule: 'x'.repeat(350),
    project: BILLING,
    ...more,
  });
  const { ask, set, learnings } = await asked([
    lesson(1),
    lesson(2),
    lesson(3),
    lesson(4),
    lesson(5, { outcome: 'fail' }),
  ]);
  const prompt = 'Regenerate the gRPC clients after editing';
  expect((await ask(prompt)).ids.length).toBeLessThanOrEqual(3);
  set(promptTier.knobs.limit.name, 5);
  set(promptTier.knobs.maxTokens.name, 10_000);
  const { ids } = await ask(prompt);
  expect(ids[0]).toBe(learnings[4]?.id);
  set(promptTier.knobs.maxTokens.name, 150);
  expect((await ask(prompt)).ids).toHaveLength(1);
});
