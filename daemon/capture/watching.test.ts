import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { readRunFile } from '../platform/lock.ts';
import { pathsOf } from '../platform/paths.ts';
import { ClaudeSession } from '../testing/claude-session.ts';
import { runDaemon, type RunningDaemon, temporaryHome } from '../testing/running-daemon.ts';
import { putTranscript, transcriptPath } from '../testing/transcript.ts';

const TOOLS = [
  'npm',
  'jest',
  'webpack',
  'moment',
  'lodash',
  'axios',
  'tslint',
  'gulp',
  'bower',
  'grunt',
  'mocha',
  'chai',
  'sinon',
  'enzyme',
  'redux',
  'yarn',
  'babel',
  'rollup',
  'parcel',
  'karma',
];
const correction = (session: ClaudeSession, tool: string) =>
  session.human(`no, don't use ${tool} here, we never use ${tool} in this project`) +
  session.agent(`You're right, I will not use ${tool}.`);
const opening = (session: ClaudeSession) =>
  session.human('Set the project up') + session.agent("Done, I've set it up.");
const shop = () => new ClaudeSession({ cwd: '/home/ada/shop' });

/** The tools that were corrected, by what was noticed. */
async function noticed({ call }: Pick<RunningDaemon, 'call'>): Promise<string[]> {
  const moments = await call('capture.moments', { limit: 500 });
  return moments.map(({ quote }) => TOOLS.find((tool) => quote.includes(` ${tool} `)) ?? quote).toSorted();
}

const expectNoticed = (daemon: RunningDaemon, tools: string[]) =>
  expect.poll(() => noticed(daemon)).toEqual(tools.toSorted());

test('a transcript that is truncated, rewritten, moved and deleted gives every correction once', async () => {
  const daemon = await runDaemon();
  const session = shop();
  const path = transcriptPath(daemon, session);
  const first = opening(session) + correction(session, 'npm');
  putTranscript(path, first + correction(session, 'jest'));
  await expectNoticed(daemon, ['npm', 'jest']);
  truncateSync(path, Buffer.byteLength(first));
  appendFileSync(path, correction(session, 'gulp'));
  await expectNoticed(daemon, ['npm', 'jest', 'gulp']);
  writeFileSync(path, opening(shop()) + correction(session, 'bower'));
  await expectNoticed(daemon, ['npm', 'jest', 'gulp', 'bower']);
  const moved = join(dirname(path), '..', 'elsewhere', 'session.jsonl');
  mkdirSync(dirname(moved), { recursive: true });
  renameSync(path, moved);
  appendFileSync(moved, correction(session, 'grunt'));
  await expectNoticed(daemon, ['npm', 'jest', 'gulp', 'bower', 'grunt']);
  rmSync(moved);
  putTranscript(path, opening(session) + correction(session, 'chai'));
  await expectNoticed(daemon, ['npm', 'jest', 'gulp', 'bower', 'grunt', 'chai']);
});

test('the folder of an agent may appear, vanish and appear again', async () => {
  const daemon = await runDaemon();
  const [one, other] = [shop(), shop()];
  putTranscript(transcriptPath(daemon, one), opening(one) + correction(one, 'npm'));
  await expectNoticed(daemon, ['npm']);
  rmSync(join(daemon.agentsHome, '.claude'), { recursive: true });
  await expect
    .poll(
      async () =>
        (await daemon.call('status', {})).sources.find(({ agent }) => agent === 'claude-code')?.present,
    )
    .toBe(false);
  putTranscript(transcriptPath(daemon, other), opening(other) + correction(other, 'jest'));
  await expectNoticed(daemon, ['npm', 'jest']);
});

test('a signal switched off while the daemon runs notices no more, and what was read is not read again', async () => {
  const daemon = await runDaemon();
  const session = shop();
  const path = transcriptPath(daemon, session);
  const loop = () =>
    Array.from({ length: 3 }, () => session.toolCall('Read', { file_path: 'a.ts' }))
      .join('')
      .replace(/"timestamp":"[^"]+"/g, () => `"timestamp":"${new Date().toISOString()}"`);
  const troubles = async () => (await daemon.call('capture.troubles', {})).length;
  const records = async () =>
    (await daemon.call('status', {})).sources.find(({ agent }) => agent === 'claude-code')?.records;
  putTranscript(path, session.human('Read a.ts') + loop());
  await expect.poll(troubles).toBe(1);
  await daemon.call('config.set', { name: 'REFLECT_SIGNAL_TOOL_LOOP', value: false });
  appendFileSync(path, loop());
  await expect.poll(records).toBe(7);
  expect(await troubles()).toBe(1);
});

test('what OpenCode writes ahead of its database is read at once', async () => {
  const daemon = await runDaemon();
  const folder = join(daemon.agentsHome, '.local', 'share', 'opencode');
  mkdirSync(folder, { recursive: true });
  const db = new Database(join(folder, 'opencode.db'));
  onTestFinished(() => void db.close());
  db.pragma('journal_mode = WAL');
  db.exec(`
    CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT NOT NULL, parent_id TEXT, title TEXT);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL, time_created INTEGER, time_updated INTEGER, data TEXT NOT NULL);
    INSERT INTO session VALUES ('ses_1', '/home/ada/shop', NULL, 'Cart');
  `);
  let at = Date.UTC(2026, 5, 1);
  const says = (role: string, text: string) => {
    const id = `msg_${(at += 1_000)}`;
    db.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(
      id,
      'ses_1',
      at,
      at,
      JSON.stringify({ role, time: { created: at, completed: at } }),
    );
    db.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)').run(
      `prt_${at}`,
      id,
      'ses_1',
      at,
      at,
      JSON.stringify({ type: 'text', text }),
    );
  };
  says('user', 'Set the project up');
  says('assistant', "Done, I've set it up.");
  await expect
    .poll(
      async () =>
        (await daemon.call('status', {})).sources.find(({ agent }) => agent === 'opencode')?.records,
    )
    .toBe(2);
  says('user', "no, don't use npm here, we never use npm in this project");
  says('assistant', "You're right, I will not use npm.");
  await expectNoticed(daemon, ['npm']);
});

test('what there was before the first start is read newest first, with progress, and can be paused over a restart', async () => {
  const agentsHome = join(temporaryHome(), 'agents');
  const sessions = TOOLS.map((tool, age) => ({ session: shop(), tool, age }));
  for (const { session, tool, age } of sessions)
    putTranscript(
      transcriptPath({ agentsHome }, session),
      opening(session) + correction(session, tool),
      3_600 * (age + 1),
    );
  const first = await runDaemon({ REFLECT_AGENTS_HOME: agentsHome });
  await first.call('capture.pause', {});
  await first.stop();
  const paused = await runDaemon({ REFLECT_AGENTS_HOME: agentsHome }, first.home);
  expect((await paused.call('status', {})).capture).toBe('paused');
  await paused.call('capture.resume', {});
  await expectNoticed(paused, TOOLS);
  const { progress, capture } = await paused.call('status', {});
  expect([capture, progress.filesDone, progress.bytesDone]).toEqual([
    'watching',
    progress.filesTotal,
    progress.bytesTotal,
  ]);
  expect(progress).toMatchObject({ agent: 'claude-code', bytesPerSecond: expect.any(Number) as number });
  const ids = (await paused.call('capture.moments', { limit: 500 }))
    .toSorted((one, other) => one.id - other.id)
    .map(({ quote }) => TOOLS.findIndex((tool) => quote.includes(` ${tool} `)));
  // Some were read by the first daemon before it was paused; of those, too, the newest.
  expect(ids).toEqual(TOOLS.map((_tool, index) => index));
});

test(
  'a daemon killed at any moment, again and again, notices every correction once',
  { timeout: 180_000 },
  async () => {
    const home = join(temporaryHome(), 'home');
    const agentsHome = join(temporaryHome(), 'agents');
    const session = shop();
    const path = transcriptPath({ agentsHome }, session);
    putTranscript(path, opening(session));
    const environment = {
      REFLECT_HOME: home,
      REFLECT_AGENTS_HOME: agentsHome,
      REFLECT_MODELS_DIR: join(home, 'none'),
      REFLECT_SETTLE_SECONDS: '0',
    };
    const main = fileURLToPath(new URL('../main.ts', import.meta.url));
    const tools = [...TOOLS];
    for (const pauseMs of [0, 150, 400, 50]) {
      const daemon = spawn(process.execPath, [main], {
        stdio: 'ignore',
        env: { ...process.env, ...environment },
      });
      onTestFinished(() => void daemon.kill('SIGKILL'));
      await expect.poll(() => readRunFile(pathsOf(home).runFile)?.pid).toBe(daemon.pid);
      for (const tool of tools.splice(0, 5)) {
        const lines = correction(session, tool);
        // In two pieces: a line is being written when the daemon dies.
        appendFileSync(path, lines.slice(0, lines.length / 2));
        await pause(20);
        appendFileSync(path, lines.slice(lines.length / 2));
      }
      await pause(pauseMs);
      daemon.kill('SIGKILL');
      await once(daemon, 'exit');
    }
    const last = await runDaemon(environment, home);
    await expectNoticed(last, TOOLS);
    const titles = (await last.call('learnings.list', { limit: 500 })).items.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  },
);
