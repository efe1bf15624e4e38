import { expect, test } from 'vitest';
import { SessionEvents } from '../../testing/session-events.ts';
import { toolLoop } from './tool-loop.ts';

const loops = (session: SessionEvents, settings = {}) =>
  session.noticed(settings).effects.filter((effect) => effect.sees === 'trouble' && effect.kind === 'loop');
const reads = (session: SessionEvents, ...files: string[]) =>
  files.reduce((one, file) => one.calls('Read', { file_path: file }), session);

test('SG5: the same call three times is a loop; switched off, or with a higher bar, it is none', () => {
  const session = reads(new SessionEvents(), 'a.ts', 'a.ts', 'a.ts');
  expect(loops(session)).toMatchObject([
    { session: 'session-1', detail: expect.stringContaining('the same call 3 times: Read') as string },
  ]);
  expect(loops(session, { [toolLoop.switch.name]: false })).toEqual([]);
  expect(loops(session, { REFLECT_LOOP_REPEATS: 4 })).toEqual([]);
});

test('SG5: two calls in turn are a loop from the fourth on, not from the third', () => {
  expect(loops(reads(new SessionEvents(), 'a.ts', 'b.ts', 'a.ts'))).toEqual([]);
  expect(loops(reads(new SessionEvents(), 'a.ts', 'b.ts', 'a.ts', 'b.ts'))).toHaveLength(1);
});

test('SG5: work that varies, and the same tool with other arguments, is no loop', () => {
  expect(loops(reads(new SessionEvents(), 'a.ts', 'b.ts', 'c.ts', 'd.ts', 'a.ts', 'e.ts'))).toEqual([]);
});

test('SG5: a loop is reported once, and again only when it goes on for as long again', () => {
  expect(loops(reads(new SessionEvents(), ...Array.from({ length: 5 }, () => 'a.ts')))).toHaveLength(1);
  expect(loops(reads(new SessionEvents(), ...Array.from({ length: 6 }, () => 'a.ts')))).toHaveLength(2);
});

test('SG5: each session is watched for itself, a subagent beside its session', () => {
  const session = reads(new SessionEvents(), 'a.ts', 'a.ts');
  session.happens(
    { kind: 'tool_call', tool: 'Read', callId: 'x', input: '{"file_path":"a.ts"}' },
    { subagent: true },
  );
  expect(loops(session)).toEqual([]);
});

test('SG5: what a person asks for again, and waiting for an answer, is no loop', () => {
  expect(
    loops(reads(reads(new SessionEvents(), 'a.ts', 'a.ts').human('read it again please'), 'a.ts')),
  ).toEqual([]);
  const waiting = new SessionEvents();
  for (let times = 0; times < 5; times++) waiting.calls('BashOutput', { bash_id: '1' });
  expect(loops(waiting)).toEqual([]);
});
