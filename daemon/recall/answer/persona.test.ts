import { expect, test } from 'vitest';
import { putPersonaFact } from '../../store/distill/persona.ts';
import { NOW, world } from '../../testing/world.ts';

const project = 'github.com/acme/shop';
const note = { title: 'Testing style guide lives in docs', project };

test('O3: a well-proven fact answers an open question directly; switched off, the notes answer', async () => {
  const { store, recall } = await world([note]);
  putPersonaFact(
    store.db,
    project,
    { field: 'testing_style', value: 'TDD', confidence: 0.83, sources: [] },
    NOW,
  );
  const query = 'what testing style does this project use?';
  expect(await recall({ query, project })).toMatchObject({
    answer: { field: 'testing_style', text: 'TDD' },
    hits: [],
  });
  const off = await recall({ query, project, knobs: { RECALL_PERSONA: false } });
  expect([off.answer, off.hits.length]).toEqual([null, 1]);
});

test('O3: a fact with thin evidence, of another project, or about something else does not answer', async () => {
  const { store, recall } = await world([note]);
  putPersonaFact(
    store.db,
    project,
    { field: 'testing_style', value: 'TDD', confidence: 0.5, sources: [] },
    NOW,
  );
  putPersonaFact(
    store.db,
    'github.com/acme/other',
    { field: 'testing_style', value: 'none', confidence: 1, sources: [] },
    NOW,
  );
  putPersonaFact(store.db, project, { field: 'indent_width', value: '2', confidence: 1, sources: [] }, NOW);
  expect((await recall({ query: 'what testing style does this project use?', project })).answer).toBeNull();
});

test('O3: of two facts that fit, the one that says more of the question answers', async () => {
  const { store, recall } = await world([note]);
  for (const [field, value] of [
    ['run_tests', 'npm test'],
    ['run_lint', 'npm run lint'],
    ['run_integration_tests', 'npm run test:integration'],
  ] as const)
    putPersonaFact(store.db, project, { field, value, confidence: 1, sources: [] }, NOW);
  const answer = async (query: string) => (await recall({ query, project })).answer?.text;
  expect(await answer('how do we run the tests?')).toBe('npm test');
  expect(await answer('how do we run the integration tests?')).toBe('npm run test:integration');
  expect(await answer('How do I run the linter here?')).toBe('npm run lint');
  expect(await answer('What is the command to run the tests?')).toBe('npm test');
  expect(await answer('which test command does this project use?')).toBe('npm test');
  expect(await answer('how to run the tests on Windows?')).toBeUndefined();
  expect(await answer('Which tests broke in this project?')).toBeUndefined();
  expect(await answer('run the tests')).toBeUndefined();
});

test('O3: a question about a particular thing is searched for, whatever facts there are', async () => {
  const { store, recall } = await world([note]);
  putPersonaFact(
    store.db,
    project,
    { field: 'testing_style', value: 'TDD', confidence: 1, sources: [] },
    NOW,
  );
  expect((await recall({ query: 'testing style guide', project })).answer).toBeNull();
});
