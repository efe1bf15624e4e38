import { describe, expect, test } from 'vitest';
import { ClaudeSession } from '../testing/claude-session.ts';
import { runDaemon, type RunningDaemon } from '../testing/running-daemon.ts';
import { putTranscript, transcriptPath } from '../testing/transcript.ts';
import { dueForSweep, idleSweep, untilDueForSweep } from './idle-sweep.ts';

const NOW = Date.UTC(2026, 5, 15);
const KNOBS = { idleSeconds: 600, longestSeconds: 86_400, perSweep: 5 };
const quiet = (seconds: number, path = 'a') => ({ path, mtimeMs: NOW - seconds * 1_000 });
const due = (files: Array<ReturnType<typeof quiet>>, swept: Array<[string, number]> = [], knobs = {}) =>
  dueForSweep(files, new Map(swept), NOW, { ...KNOBS, ...knobs }).map(({ path }) => path);

describe('which sessions are due', () => {
  test('SG3: quiet past the threshold, not under it; the threshold is a setting', () => {
    expect(due([quiet(601)])).toEqual(['a']);
    expect(due([quiet(599)])).toEqual([]);
    expect(due([quiet(599)], [], { idleSeconds: 300 })).toEqual(['a']);
    expect(due([quiet(601)], [], { idleSeconds: 1_200 })).toEqual([]);
  });

  test('SG3: one that was left a day ago is let alone', () => {
    expect(due([quiet(86_401)])).toEqual([]);
  });

  test('SG3: a silence is looked at once, and again only when the session has gone on since', () => {
    expect(due([quiet(700)], [['a', NOW - 700_000]])).toEqual([]);
    expect(due([quiet(650)], [['a', NOW - 700_000]])).toEqual(['a']);
  });

  test('SG3: the next sweep is due when the first session goes quiet, and never when none can', () => {
    const until = (files: Array<ReturnType<typeof quiet>>, swept: Array<[string, number]> = []) =>
      untilDueForSweep(files, new Map(swept), NOW, KNOBS);
    expect(until([quiet(100), quiet(400, 'b')])).toBe(200_000);
    expect(until([quiet(100), quiet(700, 'b')])).toBe(0);
    expect(until([quiet(100), quiet(700, 'b')], [['b', NOW - 700_000]])).toBe(500_000);
    expect([until([]), until([quiet(86_401)])]).toEqual([Infinity, Infinity]);
  });

  test('SG3: no more than a few in one go, those that ended last first', () => {
    expect(
      due([900, 700, 800, 1_000, 1_100, 1_200].map((seconds) => quiet(seconds, String(seconds)))),
    ).toEqual(['700', '800', '900', '1000', '1100']);
  });
});

describe('what comes of it', () => {
  // Nobody has answered it, so nothing says yet whether it is a lesson.
  const lines = (session: ClaudeSession) =>
    session.human('Add the totals') +
    session.agent("Done, I've added the totals and rounded them.") +
    session.human('no, never round the totals, we always keep cents as integers instead');

  async function daemonWith(environment: Record<string, string>, secondsAgo: number): Promise<RunningDaemon> {
    const daemon = await runDaemon(environment);
    const session = new ClaudeSession({ cwd: '/home/ada/shop' });
    putTranscript(transcriptPath(daemon, session), lines(session), secondsAgo);
    await expect
      .poll(
        async () =>
          (await daemon.call('status', {})).sources.find(({ agent }) => agent === 'claude-code')?.records,
      )
      .toBe(3);
    return daemon;
  }
  const speculative = async (daemon: RunningDaemon) =>
    (await daemon.call('learnings.list', {})).items.map((item) => item.speculative);

  test('SG3: a session gone quiet gives what it held back, as a guess', async () => {
    const daemon = await daemonWith({ REFLECT_IDLE_SECONDS: '2' }, 0);
    await expect.poll(() => speculative(daemon)).toEqual([true]);
  });

  test('SG3: an old session is quiet already when it is first read', async () => {
    const daemon = await daemonWith({}, 3_600);
    await expect.poll(() => speculative(daemon)).toEqual([true]);
  });

  test('SG3: switched off, or before the session is quiet, it gives nothing, though a daemon started later has swept', async () => {
    const off = await daemonWith({ [idleSweep.switch.name]: 'false' }, 3_600);
    const notYetQuiet = await daemonWith({}, 0);
    const swept = await daemonWith({}, 3_600);
    await expect.poll(() => speculative(swept)).toEqual([true]);
    for (const daemon of [off, notYetQuiet]) expect(await daemon.call('capture.moments', {})).toEqual([]);
  });
});
