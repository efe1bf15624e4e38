import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ClaudeSession } from '../testing/claude-session.ts';
import { type Ran, runCli } from '../testing/command-line.ts';
import { gitRepository } from '../testing/git-repository.ts';
import { runDaemon, type RunningDaemon } from '../testing/running-daemon.ts';
import { putTranscript, transcriptPath } from '../testing/transcript.ts';
import { progressLine } from './commands/capture.ts';

function reflect({ home }: RunningDaemon, ...args: string[]): Promise<Ran> {
  return runCli(home, args);
}

test('capture is paused, resumed and shown from the command line', async () => {
  const daemon = await runDaemon();
  const session = new ClaudeSession({ cwd: '/home/ada/shop' });
  const read = Array.from({ length: 3 }, () =>
    session.toolCall('Read', { file_path: '/home/ada/shop/a.ts' }),
  ).join('');
  putTranscript(
    transcriptPath(daemon, session),
    session.human('Read a.ts') +
      read.replace(/"timestamp":"[^"]+"/g, `"timestamp":"${new Date().toISOString()}"`),
  );
  await expect.poll(async () => (await daemon.call('capture.troubles', {})).length).toBe(1);
  expect((await reflect(daemon, 'capture', 'pause')).out).toContain('Paused');
  const { out } = await reflect(daemon, 'capture');
  expect(out).toMatch(/^capture: paused\n/);
  expect(out).toMatch(/claude-code +1 file/);
  expect(out).toContain('the same call 3 times: Read');
  expect((await reflect(daemon, 'capture', 'resume')).code).toBe(0);
  expect((await daemon.call('status', {})).capture).toBe('watching');
});

test('a commit is reported by its sha; without one it is refused and nothing is recorded', async () => {
  const daemon = await runDaemon();
  await daemon.call('learnings.create', {
    note: { title: 'Round totals half up', scope: 'global', provenance: { session: 'one' } },
  });
  expect(
    (await reflect(daemon, 'capture', 'commit', '1a2b3c4d5e', '--session', 'one', '-m', 'feat: cart')).out,
  ).toBe('Linked to session one.\n');
  expect(await reflect(daemon, 'capture', 'commit', '')).toMatchObject({
    code: 2,
    err: expect.stringContaining('at least seven hexadecimal digits') as string,
  });
  const revert = await reflect(
    daemon,
    'capture',
    'commit',
    '99aabbccdd',
    '-m',
    'Revert "feat: cart"\n\nThis reverts commit 1a2b3c4d5e.',
  );
  expect(revert.out).toBe('No recent session in this project. Reverts 1a2b3c4d5e.\n');
  expect((await daemon.call('learnings.list', {})).items).toMatchObject([{ status: 'reverted' }]);
});

test('progress is one line', () => {
  expect(
    progressLine({
      filesDone: 3,
      filesTotal: 12,
      bytesDone: 5_000_000,
      bytesTotal: 20_000_000,
      agent: 'codex',
      bytesPerSecond: 31_200_000,
    }),
  ).toBe('25 %, 3 of 12 files, 5 MB of 20 MB, 31.2 MB/s, now codex');
});

test('what is ignored is listed, also by a file in the repository', async () => {
  const { home } = await runDaemon();
  const { root } = gitRepository();
  const listed = () => runCli(home, ['ignore'], { cwd: root });
  expect((await listed()).out).toContain('Nothing is ignored.');
  writeFileSync(join(root, '.reflectignore'), '');
  expect((await listed()).out).toBe('this folder, by the .reflectignore of its repository\n');
});
