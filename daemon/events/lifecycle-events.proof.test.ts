import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withKnobs } from '../drain/testing.ts';
import type { KnobValue } from '../ports/knob.ts';
import { runDaemon } from '../testing/running-daemon.ts';
import { START, tempFolder } from '../testing/temp-home.ts';
import { Lifecycle, lifecycleEvents, type LifecycleEvent } from './lifecycle-events.ts';

const POSIX = process.platform !== 'win32';

function world(knobs: Record<string, KnobValue> = {}, timeoutMs?: number) {
  const folder = tempFolder();
  const file = join(folder, 'events.jsonl');
  const errors: string[] = [];
  const log = { info: () => {}, error: (message: string) => errors.push(message) };
  const lifecycle = new Lifecycle({
    file,
    resolve: withKnobs(knobs),
    environment: { PATH: process.env.PATH },
    log,
    now: () => START,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  const lines = () =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown)
      : [];
  return { file, lifecycle, lines, errors };
}

const on = (event: LifecycleEvent, command: string) => ({ [lifecycleEvents.knobs[event].name]: command });

describe('C4 lifecycle events', () => {
  test('C4: every event is one line with its name, time and payload, in order', () => {
    const { lifecycle, lines, file } = world();
    lifecycle.emit('learning.created', { id: 'a' });
    lifecycle.emit('consolidation.completed', { notes: 3 });
    const ts = new Date(START).toISOString();
    expect(lines()).toEqual([
      { event: 'learning.created', ts, payload: { id: 'a' } },
      { event: 'consolidation.completed', ts, payload: { notes: 3 } },
    ]);
    if (POSIX) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('C4: an unknown event is refused, and nothing is written', () => {
    const { lifecycle, lines } = world();
    expect(() => lifecycle.emit('learning.eaten' as LifecycleEvent, {})).toThrow(
      /learning\.eaten is not an event; events are learning\.created/,
    );
    expect(lines()).toEqual([]);
  });

  test('C4: switched off, nothing is written and nothing runs (counterfactual)', async () => {
    const ran = join(tempFolder(), 'ran');
    const { lifecycle, lines } = world({
      [lifecycleEvents.switch.name]: false,
      ...on('learning.created', `echo > ${ran}`),
    });
    lifecycle.emit('learning.created', {});
    await lifecycle.idle();
    expect([lines(), existsSync(ran)]).toEqual([[], false]);
  });

  test.skipIf(!POSIX)(
    'C4: a command runs for its own event only, and gets the event and its payload',
    async () => {
      const told = join(tempFolder(), 'told');
      const { lifecycle, lines, errors } = world(
        on('learning.updated', `printf '%s %s\\n' "$REFLECT_EVENT" "$REFLECT_EVENT_PAYLOAD" >> ${told}`),
      );
      lifecycle.emit('learning.created', { id: 'a' });
      lifecycle.emit('learning.updated', { id: 'b', title: '$(touch pwned) `x` "quoted"' });
      await lifecycle.idle();
      expect(readFileSync(told, 'utf8')).toBe(
        'learning.updated {"id":"b","title":"$(touch pwned) `x` \\"quoted\\""}\n',
      );
      expect([lines().length, errors]).toEqual([2, []]);
    },
  );

  test.skipIf(!POSIX)('C4: a failing command is logged with its output, and the next one runs', async () => {
    const { lifecycle, errors } = world(on('learning.created', 'echo no such luck >&2; exit 3'));
    lifecycle.emit('learning.created', {});
    lifecycle.emit('learning.created', {});
    await lifecycle.idle();
    expect(errors).toEqual(Array(2).fill('the command for learning.created ended with 3: no such luck'));
  });

  test.skipIf(!POSIX)(
    'C4: a hanging command is ended with everything it started, and emitting does not wait for it',
    async () => {
      const pids = join(tempFolder(), 'pids');
      const { lifecycle, errors, lines } = world(
        on('learning.created', `echo $$ >> ${pids}; sleep 300 & echo $! >> ${pids}; wait`),
        1_000,
      );
      lifecycle.emit('learning.created', {});
      expect(lines()).toHaveLength(1); // written while the command has not even begun
      await lifecycle.idle();
      expect(errors).toEqual([expect.stringMatching(/was ended after 1 s/)]);
      const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number);
      expect(started).toHaveLength(2);
      await expect.poll(() => started.filter(isRunning)).toEqual([]);
    },
  );

  test.skipIf(!POSIX)(
    'C4: stopping ends the running command and drops the waiting ones, of which there is a maximum',
    async () => {
      const { lifecycle, errors } = world(on('learning.created', 'sleep 300'));
      for (let time = 0; time < 150; time++) lifecycle.emit('learning.created', {});
      await lifecycle.stop();
      expect(errors.filter((error) => error.includes('others are waiting')).length).toBe(49);
      expect(errors.at(-1)).toContain('was ended: Reflect stops');
    },
  );

  test('C4: the daemon emits events for learned, changed and undone learnings', async () => {
    const daemon = await runDaemon();
    const { learning } = await daemon.call('learnings.create', {
      note: { title: 'Use tabs', scope: 'global' },
    });
    await daemon.call('learnings.archive', { id: learning.id });
    await daemon.call('changes.undo', {});
    const told = () => {
      const file = join(daemon.home, 'events.jsonl');
      return existsSync(file)
        ? readFileSync(file, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as { event: string; payload: object })
            .map(({ event, payload }) => [event, payload])
        : [];
    };
    await expect.poll(told).toMatchObject([
      ['learning.created', { id: learning.id, title: 'Use tabs', status: 'active' }],
      ['learning.updated', { id: learning.id, kind: 'archive', status: 'archived' }],
      ['learning.updated', { id: learning.id, kind: 'undo', status: 'active' }],
    ]);
  });
});

/** A zombie process does not count as running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
