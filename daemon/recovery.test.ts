import { spawn } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { type Call, createClient } from '#contract/methods.ts';
import { connectTo } from './client/connect.ts';
import { pathsOf } from './platform/paths.ts';
import { runDaemon, temporaryHome } from './testing/running-daemon.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

/** A daemon in a process of its own, which starts again by itself where it has to. */
function start(home: string): { stop(): Promise<void> } {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      REFLECT_HOME: home,
      REFLECT_AGENTS_HOME: join(home, 'agents'),
      REFLECT_CAPTURE: 'true',
      REFLECT_MODELS_DIR: join(home, 'none'),
    },
    stdio: 'ignore',
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/** Calls on a connection of their own: the daemon may start again between two. */
const callOf =
  (home: string): Call =>
  async (method, input) => {
    const open = await connectTo(pathsOf(home));
    if (!open) throw new Error('the daemon does not answer');
    try {
      return await createClient(open.connection.send)(method, input);
    } finally {
      open.close();
    }
  };

const titles = async (call: Call) =>
  (await call('learnings.list', {})).items.map(({ title }) => title).toSorted();
/** The slots beyond those that every knowledge base begins with. */
const slotsOf = async (call: Call) =>
  (await call('slots.list', {})).map(({ name }) => name).filter((name) => name === 'guidance');
const add = (call: Call, title: string) => call('learnings.create', { note: { title, scope: 'global' } });

test('a restore brings back what was deleted and undoes what came since; the way back stays open', async () => {
  const home = temporaryHome();
  const daemon = start(home);
  const call = callOf(home);
  await expect.poll(() => titles(call).catch(() => null)).toEqual([]);
  const { learning } = await add(call, 'Use pnpm');
  await call('slots.create', { project: '', name: 'guidance', content: 'Ship on Mondays' });
  const { name } = await call('backups.make', {});
  await call('learnings.update', { id: learning.id, patch: { title: 'Use yarn' } });
  await add(call, 'Walk the dog');

  const preview = await call('backups.preview', { name });
  expect(preview.diff).toMatchObject({ changed: { total: 1 }, missing: { total: 1 }, added: { total: 0 } });
  expect(await titles(call)).toEqual(['Use yarn', 'Walk the dog']);

  const { before } = await call('backups.restore', { name });
  await expect.poll(() => titles(call).catch(() => null)).toEqual(['Use pnpm']);
  expect((await call('status', {})).notices).toEqual([
    expect.stringMatching(/was restored\. The note files from before are kept in/),
  ]);
  expect(readdirSync(join(home, 'documents', 'global')).filter((file) => file.endsWith('.md'))).toHaveLength(
    1,
  );

  await call('backups.restore', { name: before?.split('/').at(-1) ?? '' });
  await expect.poll(() => titles(call).catch(() => null)).toEqual(['Use yarn', 'Walk the dog']);
  await daemon.stop();
});

test('damage found while the daemon runs is repaired from the backup and the notes, and said, however often', async () => {
  const home = temporaryHome();
  const { database } = pathsOf(home);
  let daemon = start(home);
  const call = callOf(home);
  await expect.poll(() => titles(call).catch(() => null)).toEqual([]);
  for (let note = 0; note < 40; note++) await add(call, `Note ${note} ${'about things '.repeat(20)}`);
  await call('slots.create', { project: '', name: 'guidance', content: 'Ship on Mondays' });
  await call('backups.make', {});
  await add(call, 'Written after the backup');
  for (let damages = 0; damages < 2; damages++) {
    await daemon.stop(); // cleanly: the next start does not check
    const file = openSync(database, 'r+');
    for (let page = 8; page < statSync(database).size / 4096; page += 2)
      writeSync(file, Buffer.alloc(2_000, 0xab), 0, 2_000, page * 4096 + 100);
    closeSync(file);
    daemon = start(home);
    // Whatever a client asks for first meets the damage.
    const notices = async () => {
      await titles(call).catch(() => null);
      return (await call('status', {}).catch(() => null))?.notices.join();
    };
    await expect.poll(notices).toMatch(/The database was damaged.*restored from the backup/s);
    await expect.poll(() => titles(call).catch(() => [])).toHaveLength(41);
    expect(await slotsOf(call)).toEqual(['guidance']);
  }
  await daemon.stop();
});

test('damage where nobody reads is found after a clean stop, before a backup is made of it', async () => {
  const home = temporaryHome();
  const { database, backups } = pathsOf(home);
  const first = await runDaemon({}, home);
  await add(first.call, 'Use pnpm');
  await first.call('backups.make', {});
  await first.stop();
  const db = new Database(database);
  const page = db
    .prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'observation_history'`)
    .pluck()
    .get();
  db.close();
  const file = openSync(database, 'r+');
  writeSync(file, Buffer.alloc(4_096, 0xab), 0, 4_096, (Number(page) - 1) * 4_096);
  closeSync(file);
  // A day later: the next backup is due.
  for (const name of readdirSync(backups))
    renameSync(join(backups, name), join(backups, name.replace(/20\d\d/, '2020')));

  const daemon = start(home);
  const call = callOf(home);
  const notices = async () => (await call('status', {}).catch(() => null))?.notices.join();
  await expect.poll(notices).toMatch(/The database was damaged.*restored from the backup/s);
  await expect.poll(() => titles(call).catch(() => null)).toEqual(['Use pnpm']);
  await daemon.stop();
});

test.each([
  ['missing', (file: string) => rmSync(file)],
  ['empty', (file: string) => truncateSync(file)],
])('a database that is %s beside notes and backups asks what to restore', async (_how, lose) => {
  const home = temporaryHome();
  const first = await runDaemon({}, home);
  await add(first.call, 'In the backup');
  await first.call('slots.create', { project: '', name: 'guidance', content: 'Ship on Mondays' });
  await first.call('backups.make', {});
  await add(first.call, 'Only in its file');
  await first.stop();
  lose(pathsOf(home).database);

  const daemon = start(home);
  const call = callOf(home);
  await expect.poll(() => titles(call).catch(() => null)).toEqual(['In the backup', 'Only in its file']);
  expect(await call('status', {})).toMatchObject({
    capture: 'off',
    notices: [expect.stringContaining('The database was missing')],
  });
  expect(await slotsOf(call)).toEqual([]);
  const [newest] = (await call('backups.list', {})).filter(({ why }) => why === 'by-hand');
  await call('backups.restore', { name: newest?.name ?? '', keepNotes: true });
  await expect.poll(() => slotsOf(call).catch(() => null)).toEqual(['guidance']);
  await expect.poll(() => titles(call)).toEqual(['In the backup', 'Only in its file']);
  expect((await call('status', {})).capture).not.toBe('off');
  await daemon.stop();
});

test('a person may also go on without a backup', async () => {
  const home = temporaryHome();
  const first = await runDaemon({}, home);
  await first.call('backups.make', {});
  await first.stop();
  rmSync(pathsOf(home).database);
  const { call } = await runDaemon({}, home);
  await call('backups.skip', {});
  await expect.poll(async () => (await call('status', {})).capture).not.toBe('off');
  expect((await call('status', {})).notices).toEqual([]);
});

test('without a backup a missing database is rebuilt from the notes, and a notice says so', async () => {
  const home = temporaryHome();
  const { database, backups } = pathsOf(home);
  const daemon = await runDaemon({}, home);
  await add(daemon.call, 'Use pnpm');
  await daemon.stop();
  for (const gone of [database, backups]) rmSync(gone, { recursive: true, force: true });
  const { call } = await runDaemon({}, home);
  await expect.poll(() => titles(call)).toEqual(['Use pnpm']);
  expect((await call('status', {})).notices.join()).toContain(
    'The database is missing and there is no backup',
  );
});

test('a folder of notes that is gone is written again, not taken for a wish to delete everything', async () => {
  const home = temporaryHome();
  const first = await runDaemon({}, home);
  await add(first.call, 'Use pnpm');
  await first.stop();
  rmSync(join(home, 'documents'), { recursive: true });
  const { call } = await runDaemon({}, home);
  expect(await titles(call)).toEqual(['Use pnpm']);
  await expect.poll(() => readdirSync(join(home, 'documents', 'global')).length).toBe(2);
});

test('folders that a shell made for all to read are closed, and files left half-written by a kill are removed', async () => {
  const home = temporaryHome();
  for (const folder of ['run', 'documents/global'])
    mkdirSync(join(home, folder), { recursive: true, mode: 0o755 });
  const leftover = join(home, 'documents', 'global', 'lrn-use-pnpm.md.4242.tmp');
  writeFileSync(leftover, 'half a no');
  utimesSync(leftover, 1, 1);
  await runDaemon({}, home);
  const modes = [home, join(home, 'run')].map((folder) => statSync(folder).mode & 0o777);
  if (process.platform !== 'win32') expect(modes).toEqual([0o700, 0o700]);
  await expect.poll(() => readdirSync(join(home, 'documents', 'global'))).toEqual([]);
});
