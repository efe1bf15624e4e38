import { expect, test } from 'vitest';
import { learningsOfType } from '../store/learnings/find.ts';
import { listObservations } from '../store/distill/observations.ts';
import { isRule } from './common-rule.ts';
import { SHOP, world } from './testing.ts';

const CHAT = 'Wondering if we should rather regenerate the clients after a proto edit';

test.each([
  'Regenerate the clients after a proto edit',
  'Never commit to main',
  'Tests use literal expected values, not strings.Contains',
  'Run the linter before every commit',
  'Run the tests before a commit',
  'Every entity must have a migration',
  'When a test makes a repository, never install hooks',
])('%s is a rule', (text) => expect(isRule(text)).toBe(true));

test.each([
  CHAT,
  'Should we regenerate the clients?',
  'I already told you to regenerate the clients',
  'Why we are only adding some of the clients',
  'Maybe regenerate the clients',
  'Ok regenerate them',
  'Show me the P2 items again',
  'Fix 3 too (copyMetadataDir())',
  'Update the header of the landing page',
  'Wondering about `make proto`',
  'Commit our changes in two commits please, the first for the list changes and the second for -c',
])('%s was said in passing', (text) => expect(isRule(text)).toBe(false));

test.each([
  'The hooks get installed when `setUp` is called',
  'When both folders are there, the first agent will always be detected, not the second',
  'When `a.txt` is not changed, it is not in the set, so the check sees it as missing',
  '`reset()` writes directly to the console, not through the logger',
  '`isOnMain()` - checks if HEAD is on the default branch',
  'Check if it is worth keeping the logic in the docs',
])('%s is a fact or a one-off request', (text) => expect(isRule(text)).toBe(false));

test('C2: a principle is worded by the learning that says the rule, never by a chat line', async () => {
  const w = world();
  w.learn({ title: CHAT });
  w.learn({ title: 'Regenerate the clients after a proto edit' });
  w.learn({ title: 'After a proto edit regenerate all clients?' });
  await w.distiller.run({ now: true });
  expect(learningsOfType(w.db, { type: 'principle' })).toMatchObject([
    { title: 'Regenerate the clients after a proto edit' },
  ]);
});

test('C2: a habit is worded as the instruction it amounts to', async () => {
  const w = world();
  w.learn({ title: 'We use pnpm workspaces for every package' });
  w.learn({ title: 'We do use pnpm workspaces for all packages' });
  w.learn({ title: 'In this repo we always use pnpm workspaces for each package' });
  await w.distiller.run({ now: true });
  const [principle] = learningsOfType(w.db, { type: 'principle' });
  expect(principle?.title).toMatch(/^Use pnpm workspaces for/);
});

test.each([
  ['You must regenerate the clients after a proto edit', 'Regenerate the clients after a proto edit'],
  ['We should never push a proto edit alone', 'Never push a proto edit alone'],
  ['In this repo we must not push a proto edit alone', 'Do not push a proto edit alone'],
])('C2: the duty “%s” is worded as an instruction', async (title, rule) => {
  const w = world();
  for (const again of ['', ', ever', ', at all']) w.learn({ title: `${title}${again}` });
  await w.distiller.run({ now: true });
  const [principle] = learningsOfType(w.db, { type: 'principle' });
  expect(principle?.title).toMatch(new RegExp(`^${rule}`));
});

test('C2: chat lines alone make no principle, and candidates are not compared', async () => {
  const w = world();
  for (const again of ['', ' now', ' today']) w.learn({ title: `${CHAT}${again}` });
  for (const title of ['Pin every dependency', 'Pin each dependency', 'Pin all dependency versions'])
    w.learn({ title, status: 'candidate' });
  await w.distiller.run({ now: true });
  expect(learningsOfType(w.db, { type: 'principle' })).toEqual([]);
});

test('C2: a model may say the rule that none of the learnings says', async () => {
  const w = world(
    { REFLECT_SYNTHESIS_WRITER: true },
    { word: () => Promise.resolve({ title: 'Regenerate the clients after a proto edit' }) },
  );
  for (const again of ['', ' now', ' today']) w.learn({ title: `${CHAT}${again}` });
  await w.distiller.run({ now: true });
  expect(learningsOfType(w.db, { type: 'principle' })).toMatchObject([
    { title: 'Regenerate the clients after a proto edit' },
  ]);
});

test('O1: an observation is worded as a rule too', async () => {
  const w = world();
  w.learn({ title: CHAT, type: 'correction', project: SHOP, provenance: { session: 's1' } });
  w.learn({
    title: 'Regenerate the clients after a proto edit',
    type: 'correction',
    project: SHOP,
    provenance: { session: 's2' },
  });
  await w.distiller.run();
  expect(listObservations(w.db, [SHOP], null)).toMatchObject([
    { content: 'Regenerate the clients after a proto edit' },
  ]);
});
