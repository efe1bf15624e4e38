import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { modelServer } from '../../drain/writers/llm/testing.ts';
import { gitRepository } from '../../testing/git-repository.ts';
import { runDaemon, temporaryHome } from '../../testing/running-daemon.ts';
import { failedAttempt, LOOP, passedAttempt, reflection } from './testing.ts';

const asking = (url: string) => ({
  REFLECT_WRITER: 'openai',
  REFLECT_WRITER_ENDPOINT: url,
  REFLECT_WRITER_MODEL: 'gpt-test',
});
const withoutReflection = () => failedAttempt({ self_reflection: undefined });

describe('a failure that comes without a reflection', () => {
  test('is reflected on by the writer’s model, which sees the task, the actions, the errors and earlier conclusions', async () => {
    const said = reflection({ about: 'currencies' });
    const server = await modelServer({ says: JSON.stringify({ ...said, mood: 'contrite' }) });
    const { call } = await runDaemon(asking(server.url));
    await call('loops.start', { id: LOOP, task: 'Make the totals right', omega: 3 });
    await call('reflections.append', failedAttempt({ self_reflection: reflection({ about: 'decimals' }) }));
    const { record, flags } = await call('reflections.append', withoutReflection());
    expect(record.self_reflection).toEqual(said);
    expect(flags).not.toContain('no-actionable-insight');
    const asked = JSON.stringify(server.requests[0]?.body);
    for (const part of [
      'Make the totals right',
      'Map over the rows',
      'Cannot read map of undefined',
      'decimals',
    ])
      expect(asked).toContain(part);
    expect((await call('writers.status', {})).recent).toMatchObject([{ outcome: 'valid' }]);
    await call('reflections.append', passedAttempt());
    expect(server.requests).toHaveLength(1);
  });

  test('is reflected on at once: only what nobody waits for is spread over the day', async () => {
    const server = await modelServer({ says: JSON.stringify(reflection({ about: 'currencies' })) });
    const { call } = await runDaemon({ ...asking(server.url), REFLECT_WRITER_RUNS_PER_DRAIN: '1' });
    await call('loops.start', { id: LOOP, task: 'Make the totals right' });
    for (const attempt of [1, 2]) {
      const { flags } = await call('reflections.append', withoutReflection());
      expect([server.requests.length, flags.includes('no-actionable-insight')]).toEqual([attempt, false]);
    }
    await call('traces.create', {
      task: 'Cancel the trip',
      review: { result: 'fail', feedback: 'Too late' },
    });
    await expect.poll(() => server.requests.length).toBeGreaterThan(2);
  });

  test('is worded from its errors and flagged as weak where there is no model, or it answers nonsense', async () => {
    const server = await modelServer({ says: 'I am sorry.' });
    for (const knobs of [{}, asking(server.url)]) {
      const { call } = await runDaemon(knobs);
      await call('loops.start', { id: LOOP, task: 'Make the totals right' });
      const { record, flags } = await call('reflections.append', withoutReflection());
      expect(record.self_reflection).toMatchObject({
        reflection_text: expect.stringContaining('Cannot read map of undefined (src/totals.ts:23)') as string,
        credit_assignment: { failing_action_indices: [0], failure_category: 'logic_error' },
        confidence: 0.3,
      });
      expect(flags).toContain('no-actionable-insight');
      expect((await call('reflections.context', { loopId: LOOP })).text).toContain('src/totals.ts:23');
    }
  });
});

describe('the files of AIWG', () => {
  const started = async () => {
    const cwd = gitRepository().root;
    const { call } = await runDaemon();
    const loop = (id = LOOP) => call('loops.start', { id, task: 'Make the totals right', cwd });
    const folder = join(cwd, '.aiwg', 'ralph', 'reflections');
    return { cwd, call, loop, folder };
  };

  test('are written with every failure where a project has that folder, and nowhere else', async () => {
    const { cwd, call, loop, folder } = await started();
    await loop('ralph-before');
    await call('reflections.append', failedAttempt({ loop_id: 'ralph-before' }));
    expect(readdirSync(cwd)).not.toContain('.aiwg');
    mkdirSync(join(cwd, '.aiwg', 'ralph'), { recursive: true });
    await loop();
    await call('reflections.append', failedAttempt());
    await call('reflections.append', failedAttempt({ self_reflection: reflection({ about: 'currencies' }) }));
    await call('reflections.append', passedAttempt());
    expect(readdirSync(join(folder, LOOP))).toEqual(['001.json', '002.json']);
    expect(JSON.parse(readFileSync(join(folder, LOOP, '001.json'), 'utf8'))).toMatchObject({
      loop_id: LOOP,
      iteration: 0,
      memory_metadata: { current_memory_size: 1 },
    });
    await call('config.set', { name: 'REFLECT_LOOP_FILES', value: false });
    await loop('ralph-silent');
    await call('reflections.append', failedAttempt({ loop_id: 'ralph-silent' }));
    expect(readdirSync(folder)).toEqual([LOOP]);
    expect((await call('loops.export', { id: 'ralph-silent', cwd })).files).toEqual([
      join('.aiwg', 'ralph', 'reflections', 'ralph-silent', '001.json'),
    ]);
  });

  test('of another machine are read as loops that go on; known and broken ones are told apart', async () => {
    const here = await started();
    mkdirSync(join(here.cwd, '.aiwg', 'ralph'), { recursive: true });
    await here.loop();
    await here.call('reflections.append', failedAttempt());
    writeFileSync(join(here.folder, LOOP, '009.json'), '{"loop_id": "ralph-totals"');
    writeFileSync(join(here.folder, 'loose.json'), JSON.stringify({ loop_id: 'Nope' }));
    const { call } = await runDaemon();
    const { cwd } = here;
    const first = await call('loops.import', { cwd });
    expect(first).toMatchObject({ loops: [LOOP], reflections: 1, known: 0 });
    expect(first.problems.map(({ file }) => file.split(/[\\/]/).at(-1))).toEqual(['loose.json', '009.json']);
    expect(await call('loops.import', { cwd })).toMatchObject({ loops: [], reflections: 0, known: 1 });
    expect((await call('reflections.context', { loopId: LOOP })).text).toContain('This is attempt 2');
    const next = await call('reflections.append', passedAttempt());
    expect([next.record.iteration, next.loop.status]).toEqual([1, 'completed']);
  });

  test('of a loop that was read are written on, and what another tool wrote stays as it is', async () => {
    const here = await started();
    mkdirSync(join(here.cwd, '.aiwg', 'ralph'), { recursive: true });
    await here.loop();
    await here.call('reflections.append', failedAttempt());
    const file = join(here.folder, LOOP, '001.json');
    const more = JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), reviewer: 'Ada' });
    writeFileSync(file, more);
    const { call } = await runDaemon();
    const { cwd } = here;
    await call('loops.import', { cwd });
    await call('reflections.append', failedAttempt());
    expect(readdirSync(join(here.folder, LOOP))).toEqual(['001.json', '002.json']);
    await call('loops.export', { id: LOOP, cwd });
    expect(readFileSync(file, 'utf8')).toBe(more);
  });

  test('are not written through a link that leads out of the project', async () => {
    const { cwd, call, loop } = await started();
    const elsewhere = temporaryHome();
    mkdirSync(join(cwd, '.aiwg'));
    symlinkSync(elsewhere, join(cwd, '.aiwg', 'ralph'));
    await loop();
    await call('reflections.append', failedAttempt());
    await expect(call('loops.export', { id: LOOP, cwd })).rejects.toThrow(/leads out of the project/);
    expect(
      readdirSync(elsewhere, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json')),
    ).toEqual([]);
  });
});
