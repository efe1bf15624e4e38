import { describe, expect, test } from 'vitest';
import { runDaemon } from '../testing/running-daemon.ts';
import { ReflectClient } from './client.ts';

async function started() {
  const daemon = await runDaemon();
  const reflect = new ReflectClient({ home: daemon.home });
  const memory = await reflect.createMemory({
    task: 'Cancel a reservation',
    result: 'pass',
    summary: 'Cancelled one',
    guidance: 'Check the fare rules first.',
  });
  return { ...daemon, reflect, memory };
}

const utility = async ({ reflect, memory }: Awaited<ReturnType<typeof started>>) =>
  (await reflect.call('learnings.get', { id: memory.id })).signals.qValue;

describe('a traced run', () => {
  test('gets its memories, records their ids, and returns the result of the work', async () => {
    const world = await started();
    const answer = await world.reflect.trace(
      {
        task: 'Cancel a reservation with insurance',
        similarityThreshold: 0.3,
        metadata: { domain: 'airline' },
      },
      (run) => {
        expect(run.augmentedTask).toContain('Check the fare rules first.');
        run.record({ role: 'assistant', content: 'Cancelled.' });
        run.respond('Cancelled.');
        run.pass('Well done', 0.5);
        return 42;
      },
    );
    expect(answer).toBe(42);
    expect(await utility(world)).toBe(0.75);
    const [trace] = await world.reflect.call('traces.list', {});
    expect(trace).toMatchObject({
      retrievedMemoryIds: [world.memory.id],
      result: 'pass',
      feedback: 'Well done',
      finalResponse: 'Cancelled.',
      metadata: { domain: 'airline' },
    });
  });

  test('that throws is recorded as a failure, and rethrows', async () => {
    const world = await started();
    await expect(
      world.reflect.trace({ task: 'Cancel a reservation' }, () =>
        Promise.reject(new Error('the fare rules were closed')),
      ),
    ).rejects.toThrow('the fare rules were closed');
    expect(await utility(world)).toBe(0.35);
    expect((await world.reflect.call('traces.list', {}))[0]).toMatchObject({
      result: 'fail',
      feedback: 'the fare rules were closed',
    });
  });

  test('without a result can be reviewed later', async () => {
    const world = await started();
    await world.reflect.trace({ task: 'Cancel a reservation' }, () => null);
    const [trace] = await world.reflect.call('traces.list', { unreviewed: true });
    expect(await utility(world)).toBe(0.5);
    await world.reflect.reviewTrace(trace?.id ?? '', 'pass');
    expect(await utility(world)).toBe(0.65);
  });
});

test('methods are those of the daemon, and its errors say what is wrong', async () => {
  const { reflect, memory } = await started();
  expect((await reflect.queryMemories({ task: 'Cancel a reservation' })).map(({ id }) => id)).toEqual([
    memory.id,
  ]);
  expect((await reflect.augmentWithMemories({ task: 'Something else entirely' })).augmentedTask).toBe(
    'Something else entirely',
  );
  const trace = await reflect.createTrace({ task: 'Cancel', retrievedMemoryIds: [memory.id] });
  await expect(reflect.reviewTrace(trace.id, 'pass', { alpha: 2 })).rejects.toThrow(
    /alpha lies between 0 and 1/,
  );
});

test('without a daemon it says so, and how to start one', async () => {
  await expect(new ReflectClient({ home: '/nowhere' }).queryMemories({ task: 'x' })).rejects.toThrow(
    /does not respond.*reflect start/,
  );
});
