import { expect, test } from 'vitest';
import { DaemonError } from '#contract/errors.ts';
import type { Handlers } from '#contract/methods.ts';
import { Foreground } from '../platform/foreground.ts';
import { silentLog } from '../platform/log.ts';
import { createDispatch } from './dispatch.ts';

/** The door with one handler behind it, and the events it has announced. */
function door(handlers: Partial<Handlers>) {
  const announced: string[] = [];
  const send = createDispatch({
    handlers: handlers as Handlers,
    log: silentLog,
    foreground: new Foreground(),
    emit: ({ type }) => announced.push(type),
    onRedacted: () => {},
    explain: () => null,
  });
  return { send, announced };
}

test('the events that a method declares are announced after it has succeeded', async () => {
  const before: string[][] = [];
  const { send, announced } = door({
    'judge.reset': () => {
      before.push([...announced]);
      return { ok: true };
    },
  });
  expect(await send('judge.reset', {})).toEqual({ ok: true, value: { ok: true } });
  expect([before, announced]).toEqual([[[]], ['settings.changed']]);
});

test('nothing is announced for a call that is refused', async () => {
  const { send, announced } = door({
    'judge.reset': () => {
      throw new DaemonError('conflict', 'it is being written');
    },
  });
  expect(await send('judge.reset', {})).toMatchObject({ ok: false, code: 'conflict' });
  expect(announced).toEqual([]);
});
