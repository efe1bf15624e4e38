import { expect, test } from 'vitest';
import { BILLING, sessionStart } from '../../testing/session-start.ts';

const fact = (title: string, category: string, more: object = {}) => ({
  title,
  category,
  type: 'fact',
  project: BILLING,
  ...more,
});
const OFF = { REFLECT_FACTS: false };

test('a long-term fact is injected at every start, whatever the session is about, and not when the tier is off', async () => {
  const others = Array.from({ length: 8 }, (_, index) => ({
    title: `Lesson number ${index} on invoices`,
    project: BILLING,
  }));
  const { start } = await sessionStart(
    [fact('Ada leads the project', 'general', { daysAgo: 400 }), ...others],
    { branch: 'feat/invoices' },
  );
  expect((await start()).text).toContain('## Always true here\n- Ada leads the project (own)\n');
  expect((await start({}, 'how are invoices rounded')).text).toContain('Ada leads');
  expect((await start(OFF)).text).not.toContain('Ada leads');
});

test('each category has its own limit: the latest facts that fit are injected, by category', async () => {
  const { start } = await sessionStart([
    fact('p'.repeat(350), 'preference', { daysAgo: 1 }),
    fact('q'.repeat(100), 'preference', { daysAgo: 2 }),
    fact('Tabs, not spaces', 'preference', { daysAgo: 3 }),
    fact('The API speaks OAuth2', 'project', { daysAgo: 9 }),
  ]);
  const { text } = await start();
  expect(text).toContain(
    `- (preference) ${'p'.repeat(350)} (own)\n- (preference) Tabs, not spaces (own)\n- (project) The API speaks OAuth2 (own)`,
  );
  expect(text).not.toContain('(preference) q');
  expect((await start({ REFLECT_FACTS_PREFERENCE_CHARS: 0 })).text).not.toContain('(preference) Tabs');
});

test('facts of another project are not injected, global ones are, and a fact is not injected twice', async () => {
  const { start, learnings } = await sessionStart([
    fact('Theirs', 'general', { project: 'github.com/acme/shop' }),
    fact('Ours', 'general'),
    fact('Everywhere', 'personal', { project: '', scope: 'global' }),
  ]);
  const { text, ids } = await start();
  expect(text).not.toContain('Theirs');
  expect(text.match(/Ours/g)).toHaveLength(1);
  expect(text).toContain('- (personal) Everywhere');
  expect(ids.toSorted()).toEqual([learnings[1]?.id, learnings[2]?.id].toSorted());
});

test('switched off, a fact does not come in among the learnings either', async () => {
  const { start } = await sessionStart([fact('Ada leads the invoices project', 'general')], {
    branch: 'feat/invoices',
  });
  expect((await start(OFF)).text).toBe('');
  expect((await start(OFF, 'who leads the invoices project')).text).toBe('');
});
