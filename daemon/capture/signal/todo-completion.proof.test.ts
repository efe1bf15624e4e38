import { expect, test } from 'vitest';
import { SessionEvents } from '../../testing/session-events.ts';
import { todoCompletion } from './todo-completion.ts';

const ON = { [todoCompletion.switch.name]: true };
const notes = (session: SessionEvents, settings = {}) =>
  session.noticed(settings).moments.filter(({ signal }) => signal === todoCompletion.id);

test('SG7: a to-do that was begun and is completed gives a note with its time and files; as shipped, none', () => {
  const session = new SessionEvents()
    .todo(['Add the endpoint', 'pending'])
    .todo(['Add the endpoint', 'in_progress'])
    .edits('src/api.ts')
    .waits(5)
    .todo(['Add the endpoint', 'completed']);
  expect(notes(session, ON)).toMatchObject([
    {
      type: 'process',
      speculative: true,
      quote: 'Completed: Add the endpoint (in 5 min, changing src/api.ts).',
    },
  ]);
  expect(notes(session)).toEqual([]);
});

test('SG7: what was completed when first seen gives nothing', () => {
  expect(notes(new SessionEvents().todo(['Add the endpoint', 'completed']), ON)).toEqual([]);
});

test('SG7: the same list repeated gives nothing more', () => {
  const session = new SessionEvents()
    .todo(['Add the endpoint', 'in_progress'])
    .todo(['Add the endpoint', 'completed'])
    .todo(['Add the endpoint', 'completed'], ['Next', 'pending']);
  expect(notes(session, ON)).toHaveLength(1);
});

test('SG7: files are those touched while it was worked on, also when the list is repeated meanwhile', () => {
  const session = new SessionEvents()
    .edits('before.ts')
    .todo(['One', 'in_progress'], ['Two', 'pending'])
    .edits('during.ts')
    .todo(['One', 'in_progress'], ['Two', 'pending'])
    .edits('later.ts')
    .todo(['One', 'completed'], ['Two', 'in_progress'])
    .edits('after.ts');
  expect(notes(session, ON)[0]?.quote).toContain('changing during.ts, later.ts)');
});
