import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readRunFile } from './platform/lock.ts';
import { pathsOf } from './platform/paths.ts';
import { ClaudeSession } from './testing/claude-session.ts';
import { runDaemon, type RunningDaemon, temporaryHome } from './testing/running-daemon.ts';
import { putTranscript, transcriptPath } from './testing/transcript.ts';

const corrects = (session: ClaudeSession, tool: string) =>
  session.human(`no, don't use ${tool} here, we never use ${tool} in this project`) +
  session.agent(`You're right, I will not use ${tool}.`);
const noticed = async ({ call }: RunningDaemon) =>
  (await call('capture.moments', { limit: 100 })).map(
    ({ quote }) => /use (\w+) here/.exec(quote)?.[1] ?? quote,
  );

test('REFLECT_CAPTURE stops capture at once and resumes it, set by call or by hand in the file; a folder is read once it is named', async () => {
  const daemon = await runDaemon();
  const session = new ClaudeSession({ cwd: '/home/ada/shop' });
  const path = transcriptPath(daemon, session);
  putTranscript(path, corrects(session, 'npm'));
  await expect.poll(() => noticed(daemon)).toEqual(['npm']);

  const off = await daemon.call('config.set', { name: 'REFLECT_CAPTURE', value: false });
  expect(off.notices).toEqual([expect.stringContaining('Nothing is read from now on.')]);
  expect((await daemon.call('status', {})).capture).toBe('off');
  appendFileSync(path, corrects(session, 'jest'));
  await pause(1_500);
  expect(await noticed(daemon)).toEqual(['npm']);

  await daemon.call('config.set', { name: 'REFLECT_CAPTURE', value: true });
  await expect.poll(() => noticed(daemon)).toHaveLength(2);

  const folder = join(temporaryHome(), 'backup');
  const elsewhere = new ClaudeSession({ cwd: '/home/ada/shop' });
  putTranscript(join(folder, 'a.jsonl'), corrects(elsewhere, 'yarn'));
  await daemon.call('config.set', { name: 'REFLECT_TRANSCRIPT_FOLDERS', value: folder });
  await expect.poll(() => noticed(daemon)).toContain('yarn');
  expect((await daemon.call('status', {})).sources).toContainEqual(
    expect.objectContaining({ agent: 'claude-code', folder, files: 1 }),
  );

  await pause(300);
  writeFileSync(join(daemon.home, 'config.toml'), 'REFLECT_CAPTURE = false\n');
  await pause(300);
  await daemon.call('config.list', {});
  await expect.poll(async () => (await daemon.call('status', {})).capture).toBe('off');
});

test('how long hooks wait and whether they wake the daemon applies at once', async () => {
  const daemon = await runDaemon();
  const { runFile, stayStopped } = pathsOf(daemon.home);
  await daemon.call('config.set', { name: 'REFLECT_HOOK_MS', value: 777 });
  await daemon.call('config.set', { name: 'REFLECT_HOOK_START_MS', value: 888 });
  expect(readRunFile(runFile)?.hooks).toEqual({ startMs: 888, otherMs: 777 });
  expect(existsSync(stayStopped)).toBe(false);
  await daemon.call('config.set', { name: 'REFLECT_HOOK_WAKE', value: false });
  expect(existsSync(stayStopped)).toBe(true);
  await daemon.call('config.set', { name: 'REFLECT_HOOK_WAKE', value: true });
  expect(existsSync(stayStopped)).toBe(false);
});

test('a reply says which other place wins, what needs a restart, and why a mode cannot be used', async () => {
  const daemon = await runDaemon({ REFLECT_RECALL_LIMIT: '7' });
  const set = (name: string, value: unknown) => daemon.call('config.set', { name, value });
  expect((await set('REFLECT_RECALL_LIMIT', 9)).notices).toEqual([
    'The environment of the daemon sets REFLECT_RECALL_LIMIT to 7, which wins.',
  ]);
  expect((await set('REFLECT_INFERENCE_THREADS', 4)).notices).toEqual([
    'Needs a restart: `reflect restart`.',
  ]);
  expect((await set('RECALL_MMR_LAMBDA', 0.6)).notices).toEqual([]);
  expect((await set('REFLECT_MODE', 'cooking')).notices).toEqual([
    expect.stringMatching(/^The mode engineering is used instead of cooking: there is no such mode/),
  ]);
  expect((await set('REFLECT_MODE', 'research')).notices).toEqual([]);
});

test('a mistake in the edited file is told in the status', async () => {
  const daemon = await runDaemon();
  writeFileSync(join(daemon.home, 'config.toml'), 'RECALL_MMR_LAMDA = 0.5\n');
  await pause(300);
  expect((await daemon.call('status', {})).notices).toEqual([
    expect.stringMatching(
      /does not count: .*RECALL_MMR_LAMDA is not a setting; did you mean RECALL_MMR_LAMBDA/,
    ),
  ]);
});

test('two letters in the wrong order are one mistake', async () => {
  const daemon = await runDaemon();
  const [unknown] = await daemon.call('config.unknown', { variables: ['RECALL_MRM'] });
  expect(unknown).toContain('did you mean RECALL_MMR?');
});

test('the seeds’ name for the folder of notes is followed', async () => {
  const notes = join(temporaryHome(), 'learnings');
  const daemon = await runDaemon({ RECALL_LEARNINGS_ROOT: notes });
  await daemon.call('learnings.create', { note: { title: 'Use tabs', scope: 'global' } });
  expect(existsSync(notes)).toBe(true);
  expect(existsSync(pathsOf(daemon.home).documents)).toBe(false);
});
