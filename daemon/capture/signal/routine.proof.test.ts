import { expect, test } from 'vitest';
import { SessionEvents } from '../../testing/session-events.ts';
import { routine, routineOf } from './routine.ts';

const routines = (session: SessionEvents, settings = {}) =>
  session.noticed(settings).effects.filter(({ sees }) => sees === 'routine');

test('O3: the command of a routine is noticed once a session; switched off, it is not', () => {
  const session = new SessionEvents()
    .runs('cd /home/ada/shop && mise run fmt && mise run lint 2>&1 | tail -20', 'ok')
    .runs('mise run lint', 'ok');
  expect(routines(session)).toMatchObject([
    { field: 'format_code', command: 'mise run fmt', session: 'session-1' },
    { field: 'run_lint', command: 'mise run lint' },
  ]);
  expect(routines(session, { [routine.switch.name]: false })).toEqual([]);
});

test('O3: a command that failed is no routine', () => {
  expect(routines(new SessionEvents().runs('npm test', '1 failed', { failed: true }))).toEqual([]);
});

test.each([
  ['npm test', 'run_tests'],
  ['rtk bun run test', 'run_tests'],
  ['go test ./...', 'run_tests'],
  ['CI=1 pnpm run typecheck', 'check_types'],
  ['mise run test:integration', 'run_integration_tests'],
  ['cargo build --workspace', 'build_project'],
  ['npx tsc --noEmit', 'check_types'],
])('O3: %s is a routine', (command, field) => {
  expect(routineOf(command)).toMatchObject({ field });
});

test.each([
  'go test ./store -run TestOpen', // a part of the tests
  'npx vitest run src/cart.test.ts',
  'git status',
  'npm run dev',
  'cat package.json',
])('O3: %s is none', (command) => {
  expect(routineOf(command)).toBeNull();
});
