import { expect, test } from 'vitest';
import { noteEffects } from '../drain/effects.ts';
import { listObservations } from '../store/distill/observations.ts';
import { personaOf } from '../store/distill/persona.ts';
import { reviseObservations } from './observation-actions.ts';
import { SHOP, world } from './testing.ts';

type World = ReturnType<typeof world>;

const project = { id: SHOP, name: 'shop', root: '/home/ada/shop' };

/** Sessions that ran a command, each twice. */
function ran(w: World, command: string, field: string, ...sessions: string[]): Promise<unknown> {
  const effects = sessions.flatMap((session) =>
    [1, 2].map((at) => ({
      sees: 'routine' as const,
      field,
      does: 'Run the tests',
      command,
      session,
      at,
      project,
    })),
  );
  noteEffects(w.store, { effects, voided: [] });
  return w.distiller.run();
}

const observed = ({ db }: World) =>
  listObservations(db, [SHOP], 'active').map(({ content, proofCount }) => [content, proofCount]);

test('O1: a command that several sessions ran is an observation, proven once by each session', async () => {
  const w = world();
  await ran(w, 'mise run test', 'run_tests', 'a');
  expect(observed(w)).toEqual([]);
  await ran(w, 'mise run test', 'run_tests', 'b', 'c');
  expect(observed(w)).toEqual([['Run the tests with `mise run test`', 3]]);
  await ran(w, 'mise run test', 'run_tests', 'c', 'd');
  expect(observed(w)).toEqual([['Run the tests with `mise run test`', 4]]);
});

test('O3: the command that most sessions ran is the fact, the surer the more sessions', async () => {
  const w = world();
  const many = Array.from({ length: 14 }, (_, index) => `session-${index}`);
  await ran(w, 'mise run test', 'run_tests', ...many);
  await ran(w, 'go test ./...', 'run_tests', 'a', 'b');
  expect(personaOf(w.db, SHOP)).toMatchObject([
    { field: 'run_tests', value: 'mise run test', confidence: 1 },
  ]);
});

test('O1: a command that a person retired stays retired', async () => {
  const w = world();
  await ran(w, 'mise run test', 'run_tests', 'a', 'b');
  const [known] = listObservations(w.db, [SHOP], 'active');
  reviseObservations(
    w.store,
    [{ action: 'DELETE', targetId: known?.id ?? '', reason: 'we use make' }],
    'person',
    w.resolve,
  );
  await ran(w, 'mise run test', 'run_tests', 'c');
  expect(observed(w)).toEqual([]);
});
