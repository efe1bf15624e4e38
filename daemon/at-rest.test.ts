import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '#contract/methods.ts';
import { connectTo } from './client/connect.ts';
import { pathsOf } from './platform/paths.ts';
import { ClaudeSession } from './testing/claude-session.ts';
import { temporaryHome } from './testing/running-daemon.ts';
import { putTranscript, transcriptPath } from './testing/transcript.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const REPORT_TIMERS = new URL('./testing/report-timers.ts', import.meta.url).href;
const REST = 6_000; // ms; three times the interval at which folders used to be checked

/** A daemon of its own process on an empty machine, and the timers that fired in any of its threads. */
function startDaemon() {
  const folder = temporaryHome();
  const [home, agentsHome, report] = ['home', 'agents', 'timers'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const child = spawn(process.execPath, ['--import', REPORT_TIMERS, MAIN], {
    stdio: 'ignore',
    env: {
      ...process.env,
      REFLECT_HOME: home,
      REFLECT_AGENTS_HOME: agentsHome,
      REFLECT_CAPTURE: 'true',
      REFLECT_MODELS_DIR: join(home, 'no-models'),
      REFLECT_REPORT_TIMERS: report,
    },
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const fired = () => (existsSync(report) ? readFileSync(report, 'utf8').trimEnd().split('\n') : []);
  return { home, agentsHome, fired };
}

test('at rest no timer fires in any thread, and an agent whose folder appears then is noticed at once', async () => {
  const { home, agentsHome, fired } = startDaemon();
  const status = async () => {
    const open = await connectTo(pathsOf(home));
    if (!open) return null;
    const reply = await createClient(open.connection.send)('status', {});
    open.close();
    return reply;
  };
  const source = async () => (await status())?.sources.find(({ agent }) => agent === 'claude-code');
  await expect.poll(source).toMatchObject({ present: false });
  // The work after a start has ended when nothing has fired for a while.
  const firedLately = async () => {
    const before = fired().length;
    await pause(REST);
    return fired().slice(before);
  };
  await expect.poll(firedLately, { timeout: 60_000, interval: 1 }).toEqual([]);
  const session = new ClaudeSession({ cwd: '/home/ada/shop' });
  putTranscript(transcriptPath({ agentsHome }, session), session.human('Set the project up'));
  await expect.poll(source).toMatchObject({ present: true, records: 1 });
  expect(fired()).not.toEqual([]); // so they are counted
});
