import { expect, onTestFinished, test } from 'vitest';
import type { Ran } from '../testing/command-line.ts';
import { homeOf, LESSON, SILENCE, start, thisRelease } from '../testing/other-version.ts';

test('a daemon that hangs delays no hook beyond its deadline, is reported, and is ended by `reflect stop`', async () => {
  const ours = thisRelease();
  const { home, daemon } = await homeOf(ours);
  daemon.kill('SIGSTOP');
  onTestFinished(() => void daemon.kill('SIGCONT'));
  const prompt = { ...start(home), prompt: 'Which package manager is used here?' };
  expect(await ours.hook(home, 'UserPromptSubmit', prompt, 500)).toEqual(SILENCE);
  expect(await ours.hook(home, 'SessionStart', start(home), 500)).toEqual(SILENCE);
  const [status, doctor] = await Promise.all([ours.cli(home, 'status'), ours.cli(home, 'doctor')]);
  expect(status).toMatchObject({
    code: 1,
    err: expect.stringMatching(/The daemon took too long.*\n.*`reflect stop` ends it/) as string,
  });
  expect(doctor).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      /✗ the daemon returned no status: The daemon took too long.*`reflect stop`, then `reflect start`/,
    ) as string,
  });
  expect(await ours.cli(home, 'stop')).toMatchObject({
    code: 0,
    out: 'The daemon did not answer and was killed; nothing is lost.\n',
  });
  expect(daemon.signalCode).toBe('SIGKILL');
  expect(await ours.cli(home, 'search', 'pnpm')).toMatchObject({
    code: 0,
    out: expect.stringContaining(LESSON) as string,
    err: expect.stringContaining('reflect: started the daemon') as string,
  });
  await ours.cli(home, 'stop');
});

test('hooks that fire while the daemon is killed and started again all succeed, with an answer or with none', async () => {
  const ours = thisRelease();
  const { home, daemon } = await homeOf(ours);
  const fired: Promise<Ran>[] = [];
  const fire = async (count: number) => {
    for (let index = 0; index < count; index++) {
      fired.push(ours.hook(home, 'SessionStart', start(home)));
      if (index % 4 === 3) await fired.at(-1);
    }
  };
  const restarted = async () => {
    await fired[2];
    daemon.kill('SIGKILL');
    await ours.start(home);
  };
  await Promise.all([fire(12), restarted()]);
  await fire(4);
  const ran = await Promise.all(fired);
  expect(ran.map(({ code, err }) => ({ code, err }))).toEqual(ran.map(() => ({ code: 0, err: '' })));
  expect(ran.filter(({ out }) => out !== '' && !out.includes(LESSON))).toEqual([]);
  expect(ran.slice(-4).every(({ out }) => out.includes(LESSON))).toBe(true);
});
