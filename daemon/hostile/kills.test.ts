import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { type Call, createClient } from '#contract/methods.ts';
import { exportArchive } from '../archive/export.ts';
import { archivePath, fullStore, partsOf, silent } from '../archive/testing.ts';
import { connectTo } from '../client/connect.ts';
import { pathsOf } from '../platform/paths.ts';
import { connect } from '../store/connection.ts';
import { migrate } from '../store/migrate.ts';
import { MIGRATIONS } from '../store/migrations/index.ts';
import { ClaudeSession } from '../testing/claude-session.ts';
import { runDaemon, temporaryHome } from '../testing/running-daemon.ts';
import { transcriptPath } from '../testing/transcript.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
/** `npm run test:hostile` sets it; the short form runs with all other tests. */
const KILLS = Number(process.env['REFLECT_HOSTILE_KILLS'] ?? 6);
const SEED = Number(process.env['REFLECT_CASES_SEED'] ?? 7) % 2_147_483_647;
const LONG = { timeout: 120_000 + KILLS * 10_000 };

function start(home: string, agentsHome: string): ChildProcess {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      REFLECT_HOME: home,
      REFLECT_AGENTS_HOME: agentsHome,
      REFLECT_CAPTURE: 'true',
      REFLECT_MODELS_DIR: join(home, 'none'),
      REFLECT_SETTLE_SECONDS: '0.01',
      REFLECT_BACKFILL_LEARNINGS: 'true',
    },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const exitOf = (child: ChildProcess) =>
  new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));

/** Calls until the daemon is gone; each answer that arrived is a promise it has to keep. */
async function work(home: string, run: (call: Call) => Promise<void>): Promise<void> {
  const open = await connectTo(pathsOf(home));
  if (!open) return;
  try {
    await run(createClient(open.connection.send));
  } catch {
    // killed in the middle
  } finally {
    open.close();
  }
}

/** Random, but the same in every run of `npm test`. */
function* chances(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

test(
  'killed again and again over transcripts, notes and merges, it keeps what it acknowledged, once',
  LONG,
  async () => {
    const home = join(temporaryHome(), 'home');
    const agentsHome = join(temporaryHome(), 'agents');
    const archive = archivePath();
    const donor = fullStore();
    const given = donor.db.prepare<[], string>('SELECT id FROM learning').pluck().all();
    await exportArchive(partsOf(donor), archive, { replace: false, tell: silent });
    const session = new ClaudeSession({ cwd: '/home/ada/shop', at: Date.now() });
    const transcript = transcriptPath({ agentsHome }, session);
    mkdirSync(dirname(transcript), { recursive: true });
    const chance = chances(SEED);
    const acknowledged: string[] = [];
    let lines = 0;
    let signals = 0;
    for (let round = 0; round < KILLS; round++) {
      const daemon = start(home, agentsHome);
      const exited = exitOf(daemon);
      const isKilled = exited.then(() => true);
      // Some are killed while they start, most while they work.
      const deadline = pause(150 + chance.next().value * 1_800).then(() => daemon.kill('SIGKILL'));
      for (let isUp = false; !isUp;) {
        isUp = await Promise.race([
          isKilled,
          work(home, async (call) => {
            appendFileSync(
              transcript,
              session.human(`no, never use tool ${round} here, use pnpm`) + session.agent('Right.'),
            );
            lines += 2;
            for (let step = 0; ; step++) {
              const title = `Note ${round}-${step}`;
              await call('learnings.create', { note: { title, scope: 'global' } });
              acknowledged.push(title);
              if (step === 2) void call('archive.import', { path: archive, mode: 'merge' }).catch(() => {});
            }
          }).then(() => false),
        ]);
        if (!isUp) await pause(10);
      }
      await deadline;
      if ((await exited) === 'SIGKILL') signals++;
    }
    expect(signals).toBe(KILLS); // it never ended by itself, nor by another signal

    const { call } = await runDaemon({ REFLECT_AGENTS_HOME: agentsHome }, home);
    const titles: string[] = [];
    for (let offset = 0; ; offset += 500) {
      const { items } = await call('learnings.list', { offset, limit: 500, facets: false });
      titles.push(...items.map(({ title }) => title));
      if (items.length < 500) break;
    }
    const mine = titles.filter((title) => title.startsWith('Note '));
    expect(new Set(mine).size).toBe(mine.length);
    expect(acknowledged.filter((title) => !mine.includes(title))).toEqual([]);
    const isThere = (id: string) =>
      call('learnings.get', { id }).then(
        () => true,
        () => false,
      );
    // A merge that a kill interrupted is continued by this start.
    const imported = async () => (await Promise.all(given.map(isThere))).filter(Boolean).length;
    await expect
      .poll(async () => [0, given.length].includes(await imported()), { timeout: 20_000 })
      .toBe(true);
    const read = async () =>
      (await call('status', {})).sources.reduce((sum, { records }) => sum + records, 0);
    await expect.poll(read).toBe(lines);
    expect(await call('status', {})).toMatchObject({ notices: [] });
    const check = await call('documents.repair', {});
    // The archive brings files that its person broke; all others say what their row says.
    expect(check.left.filter(({ path }) => /note-\d/.test(path))).toEqual([]);
  },
);

test('killed while it migrates, it starts with everything on the newest version', LONG, async () => {
  const chance = chances(SEED + 4);
  for (let round = 0; round < Math.ceil(KILLS / 6); round++) {
    const home = temporaryHome();
    const { database } = pathsOf(home);
    const old = connect(database);
    migrate(old, null, MIGRATIONS.slice(0, 12));
    const insert = old.prepare(
      `INSERT INTO slot (project, name, content, description, size_limit, read_only, updated_at) VALUES ('', ?, 'text', '', 500, 0, 1)`,
    );
    for (let slot = 0; slot < 50; slot++) insert.run(`slot_${slot}`);
    old.close();
    const daemon = start(home, join(home, 'agents'));
    const exited = exitOf(daemon);
    await pause(250 + chance.next().value * 700);
    daemon.kill('SIGKILL');
    await exited;
    const { call, stop } = await runDaemon({}, home);
    expect((await call('slots.list', {})).filter(({ name }) => name.startsWith('slot_'))).toHaveLength(50);
    expect((await call('status', {})).notices).toEqual([]);
    await stop();
  }
});
