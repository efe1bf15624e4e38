import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { stopProcess } from './stop.ts';

/** A child that writes down how it was asked, and ends at the given signals. */
class Child extends EventEmitter {
  readonly asked: unknown[] = [];
  readonly #endsAt: unknown[];
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;

  constructor(...endsAt: unknown[]) {
    super();
    this.#endsAt = endsAt;
  }

  kill(signal: NodeJS.Signals): boolean {
    this.asked.push(signal);
    if (this.#endsAt.includes(signal)) {
      this.exitCode = 0;
      setImmediate(() => this.emit('exit'));
    }
    return true;
  }
}

test.each(['linux', 'darwin'] as const)('on %s a child is asked by a signal', async (system) => {
  const child = new Child('SIGTERM');
  await stopProcess(child, system, () => expect.fail('no request is needed'));
  expect(child.asked).toEqual(['SIGTERM']);
});

test('on Windows a child is asked by a request, and no signal ends it half-way', async () => {
  const child = new Child();
  const asked = stopProcess(child, 'win32', async () => {
    child.exitCode = 0;
    setImmediate(() => child.emit('exit'));
    return true;
  });
  await asked;
  expect(child.asked).toEqual([]);
});

test('on Windows a child that does not listen yet is killed at once', async () => {
  const child = new Child('SIGKILL');
  await stopProcess(child, 'win32', async () => false);
  expect(child.asked).toEqual(['SIGKILL']);
});

test('one that does not end is killed, one that has ended is left alone', async () => {
  const stubborn = new Child('SIGKILL');
  await stopProcess(stubborn, 'linux', async () => true, 1);
  expect(stubborn.asked).toEqual(['SIGTERM', 'SIGKILL']);
  await stopProcess(stubborn, 'linux', async () => true);
  expect(stubborn.asked).toHaveLength(2);
});
