import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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
/** Of them, while a store of an older version is brought up to date. */
const MIGRATION_KILLS = Math.ceil(KILLS / 6);
/** Homes that are attacked side by side. */
const LANES = KILLS >= 100 ? 3 : 1;
/** A folder with sessions of Claude Code, for the long form; none for the short one. */
const SESSIONS = process.env['REFLECT_HOSTILE_SESSIONS'] ?? '';
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

/** A home whose daemon is killed again and again, and what it has to know in the end. */
interface Attacked {
  home: string;
  agentsHome: string;
  /** An archive that is merged again and again, and the notes in it. */
  archive: string;
  given: string[];
  /** A folder of notes that is imported again and again. */
  notes: string;
  /** Lines that are still to be written to the transcripts, in order. */
  lines: Array<{ path: string; line: string }>;
  acknowledged: string[];
}

async function toAttack(share: (index: number) => boolean): Promise<Attacked> {
  const home = join(temporaryHome(), 'home');
  const agentsHome = join(temporaryHome(), 'agents');
  const archive = archivePath();
  const donor = fullStore();
  await exportArchive(partsOf(donor), archive, { replace: false, report: silent });
  const notes = join(temporaryHome(), 'notes');
  mkdirSync(notes);
  for (let note = 0; note < 30; note++)
    writeFileSync(join(notes, `${note}.md`), `# Imported ${note}\n\nWords of note ${note}.\n`);
  const given = donor.db.prepare<[], string>('SELECT id FROM learning').pluck().all();
  const lines = [...madeSession(agentsHome), ...realSessions(agentsHome, share)];
  return { home, agentsHome, archive, given, notes, lines, acknowledged: [] };
}

/** A session with a correction in every turn. */
function madeSession(agentsHome: string): Attacked['lines'] {
  const session = new ClaudeSession({ cwd: '/home/ada/shop', at: Date.now() });
  const path = transcriptPath({ agentsHome }, session);
  return Array.from({ length: KILLS }, (_, turn) => turn).flatMap((turn) =>
    [session.human(`no, never use tool ${turn} here, use pnpm`), session.agent('Right.')].map((line) => ({
      path,
      line,
    })),
  );
}

const LARGEST_REAL = 1_000_000; // bytes

/** Sessions of people, where `npm run test:hostile` finds some. */
function realSessions(agentsHome: string, share: (index: number) => boolean): Attacked['lines'] {
  if (SESSIONS === '') return [];
  const names = readdirSync(SESSIONS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && statSync(join(SESSIONS, name)).size < LARGEST_REAL)
    .toSorted()
    .filter((_, index) => share(index));
  return names.flatMap((name, index) => {
    const path = join(agentsHome, '.claude', 'projects', `real-${index}`, basename(name));
    const text = readFileSync(join(SESSIONS, name), 'utf8');
    return text.split(/(?<=\n)/).map((line) => ({ path, line }));
  });
}

/** Starts the daemon, lets it read, write, merge and import, and kills it at some moment. */
async function killOnce(attacked: Attacked, round: number, chance: number, lines: Attacked['lines']) {
  const { home, agentsHome, archive, notes, acknowledged } = attacked;
  const daemon = start(home, agentsHome);
  let isOver = false;
  const exited = exitOf(daemon).finally(() => (isOver = true));
  const killIn = (ms: number) => pause(ms).then(() => daemon.kill('SIGKILL'));
  // Every fourth is killed while it starts, the others while they work.
  let killing = round % 4 === 3 ? killIn(chance * 1_500) : null;
  for (const { path, line } of lines) {
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, line);
  }
  while (!isOver) {
    await work(home, async (call) => {
      for (let step = 0; ; step++) {
        const title = `Note ${round}-${step}`;
        await call('learnings.create', { note: { title, fix: `Words of ${title}`, scope: 'global' } });
        acknowledged.push(title);
        killing ??= killIn(chance * 1_000);
        if (step === 2) void call('archive.import', { path: archive, mode: 'merge' }).catch(() => {});
        if (step === 4) void call('imports.run', { path: notes, keep: true }).catch(() => {});
      }
    });
    if (!isOver) await pause(10);
  }
  expect(await exited).toBe('SIGKILL'); // it never ended by itself, nor by another signal
}

/** The moments that were noticed, by the records that triggered them, and how many records were read. */
async function captured({ home, agentsHome }: Pick<Attacked, 'home' | 'agentsHome'>, records: number) {
  const { call, stop } = await runDaemon({ REFLECT_AGENTS_HOME: agentsHome }, home);
  const read = async () =>
    (await call('status', {})).sources.reduce((sum, source) => sum + source.records, 0);
  await expect.poll(read).toBe(records);
  await stop();
  const db = connect(pathsOf(home).database);
  const keys = db.prepare<[], string>('SELECT key FROM capture_window ORDER BY key').pluck().all();
  db.close();
  return keys;
}

async function expectNothingLost({ home, agentsHome, acknowledged, given }: Attacked): Promise<void> {
  const { call, stop } = await runDaemon({ REFLECT_AGENTS_HOME: agentsHome }, home);
  const isThere = (id: string) =>
    call('learnings.get', { id }).then(
      () => true,
      () => false,
    );
  // A merge that a kill interrupted is continued by this start.
  const merged = async () => (await Promise.all(given.map(isThere))).filter(Boolean).length;
  await expect.poll(async () => [0, given.length].includes(await merged())).toBe(true);
  expect(await call('status', {})).toMatchObject({ notices: [] });
  const check = await call('documents.repair', {});
  // The archive brings files that its person broke; all others say what their row says.
  expect(check.left.filter(({ path }) => /(?:note|imported)-\d/.test(path))).toEqual([]);
  await stop();
  const db = connect(pathsOf(home).database);
  const notes = db
    .prepare<[], { title: string; fix: string }>(
      `SELECT title, note ->> '$.fix' AS fix FROM learning WHERE title GLOB 'Note *' OR title GLOB 'Imported *'`,
    )
    .all();
  db.close();
  const fixes = new Map(notes.map(({ title, fix }) => [title, fix]));
  expect(fixes.size).toBe(notes.length); // none is there twice
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(acknowledged.filter((title) => fixes.get(title) !== `Words of ${title}`)).toEqual([]);
}

test(
  'killed again and again over transcripts, notes, merges and imports, it keeps what it acknowledged, once',
  LONG,
  async () => {
    const kills = Math.ceil((KILLS - MIGRATION_KILLS) / LANES);
    const attack = async (lane: number) => {
      const attacked = await toAttack((index) => index % LANES === lane);
      const { lines, agentsHome } = attacked;
      const chance = chances(SEED + lane);
      const each = Math.ceil(lines.length / kills);
      for (let round = 0; round < kills; round++)
        await killOnce(attacked, round, chance.next().value, lines.slice(round * each, (round + 1) * each));
      await expectNothingLost(attacked);
      // As if nobody had been killed.
      const home = join(temporaryHome(), 'undisturbed');
      const { call, stop } = await runDaemon({ REFLECT_AGENTS_HOME: agentsHome }, home);
      const isDone = async () => (await call('status', {})).progress.filesDone;
      await expect.poll(isDone).toBe(new Set(lines.map(({ path }) => path)).size);
      const records = (await call('status', {})).sources.reduce((sum, source) => sum + source.records, 0);
      await stop();
      expect(await captured(attacked, records)).toEqual(await captured({ home, agentsHome }, records));
    };
    await Promise.all(Array.from({ length: LANES }, (_, lane) => attack(lane)));
  },
);

test('killed while it migrates, it starts with everything on the newest version', LONG, async () => {
  const chance = chances(SEED + 4);
  for (let round = 0; round < MIGRATION_KILLS; round++) {
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
