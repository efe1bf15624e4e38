import { expect, test } from 'vitest';
import { proof } from '../../testing/proof.ts';
import { world } from '../../testing/world.ts';
import { project } from './project.ts';

const words = { RECALL_VECTOR_ARM: false };
const here = 'github.com/acme/shop';
const foreign = { title: 'Deploy on Tuesdays, a', project: 'github.com/acme/other' };
const own = { title: 'Deploy on Tuesdays, b', project: here };

// R16: looking everywhere, the own project wins a tie.
proof(project, 'the own project wins over an equally good answer from elsewhere', {
  given: [foreign, own],
  ask: { query: 'deploy on tuesdays', project: here, global: true, knobs: words },
  off: [foreign.title, own.title],
  on: [own.title, foreign.title],
});

test('R16: a decisively better answer from elsewhere still wins', async () => {
  const better = { title: 'How to roll back a failed database migration', project: 'github.com/acme/other' };
  const { titles } = await world([better, { title: 'Database of icons', project: here }]);
  expect(
    (
      await titles({
        query: 'roll back failed database migration',
        project: here,
        global: true,
        knobs: words,
      })
    )[0],
  ).toBe(better.title);
});
