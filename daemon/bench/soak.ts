// A day of agents in a few minutes: `node daemon/bench/soak.ts [--events 100000] [--calls 10000]`. Events go straight to the daemon, with
// transcripts that grow; calls are real hook processes. Every tenth prints the figures that must stay flat: memory after garbage
// collection, in total and by thread, open files, processes; and those that may grow: rows and bytes of the database.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { createClient, type Call } from '#contract/methods.ts';
import { pathsOf } from '../platform/paths.ts';
import { connectTo } from '../client/connect.ts';
import { ClaudeSession } from '../testing/claude-session.ts';
import { fireHook, sleep, startBuilt } from './daemon-process.ts';

const { values } = parseArgs({
  options: { events: { type: 'string', default: '100000' }, calls: { type: 'string', default: '10000' } },
});
const AT_ONCE = 8;
const HOOKS_AT_ONCE = 2;
const SESSION_EVENTS = 50;
const GROWTH = 0.15; // of memory, between the second tenth and the last
const MORE_HEAP = 15; // MB between the same: each session keeps a few hundred bytes, its read position
const MORE_FILES = 5;

interface Probe {
  rssMb: number;
  externalMb: number;
  heaps: { thread: number; heapMb: number; reservedMb: number }[];
}

interface Sample extends Probe {
  done: number;
  /** Memory of the process before garbage collection. */
  rawMb: number;
  files: number;
  children: number;
}

async function look(pid: number, done: number): Promise<Sample> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  const files = readdirSync(`/proc/${pid}/fd`).length;
  return {
    done,
    rawMb: Number(status.match(/VmRSS:\s+(\d+)/)?.[1]) / 1_024,
    files,
    children: children.length,
    ...(await probe(pid)),
  };
}

/** Makes the daemon collect garbage and report its memory. */
async function probe(pid: number): Promise<Probe> {
  rmSync(PROBED, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let waited = 0; waited < 30_000 && !existsSync(PROBED); waited += 50) await sleep(50);
  await sleep(50); // it is being written
  return JSON.parse(readFileSync(PROBED, 'utf8')) as Probe; // by our own probe
}

function parentOf(pid: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return -1; // exited meanwhile
  }
}

/** Runs that many, a few at a time, and measures ten times. */
async function tenTimes(
  total: number,
  atOnce: number,
  pid: number,
  one: (index: number) => Promise<void>,
): Promise<Sample[]> {
  const samples = [await look(pid, 0)];
  let next = 0;
  for (const tenth of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
    const until = Math.ceil((total * tenth) / 10);
    const work = async () => {
      while (next < until) await one(next++);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const sample = await look(pid, next);
    samples.push(sample);
    print(sample);
  }
  return samples;
}

const mb = (value: number) => `${value.toFixed(0).padStart(4)} MB`;

function print({ done, rawMb, rssMb, externalMb, heaps, files, children }: Sample): void {
  const byThread = heaps
    .toSorted((a, b) => a.thread - b.thread)
    .map(({ heapMb }) => heapMb.toFixed(1))
    .join(' + ');
  const reserved = mb(heaps.reduce((sum, { reservedMb }) => sum + reservedMb, 0));
  process.stdout.write(
    `${String(done).padStart(9)}  ${mb(rawMb)}, collected ${mb(rssMb)}, heaps ${byThread} MB and ${reserved} in reserve, outside ${mb(externalMb)}  ${String(files).padStart(4)} files  ${children} children\n`,
  );
}

const heapOf = ({ heaps, externalMb }: Sample) => heaps.reduce((sum, { heapMb }) => sum + heapMb, externalMb);

/** The faults of a run; none if everything stayed flat. */
function judge(name: string, samples: Sample[]): string[] {
  const [early, last] = [samples[2] ?? samples[0], samples.at(-1)];
  if (!early || !last) return [`${name}: nothing was measured`];
  return [
    ...(last.rssMb > early.rssMb * (1 + GROWTH)
      ? [`${name}: memory grew from ${mb(early.rssMb)} to ${mb(last.rssMb)}`]
      : []),
    ...(heapOf(last) > heapOf(early) + MORE_HEAP
      ? [`${name}: the heap grew from ${mb(heapOf(early))} to ${mb(heapOf(last))}`]
      : []),
    ...(last.files > early.files + MORE_FILES
      ? [`${name}: open files grew from ${early.files} to ${last.files}`]
      : []),
    ...(last.children > 0 ? [`${name}: ${last.children} processes are still running`] : []),
  ];
}

/** One event of one of many sessions that start and end, as on a working day. */
function day(call: Call, agentsHome: string, cwd: string): (index: number) => Promise<void> {
  const folder = join(agentsHome, '.claude', 'projects', '-home-ada-shop');
  mkdirSync(folder, { recursive: true });
  const sessions = new Map<number, { session: ClaudeSession; path: string }>();
  return async (index) => {
    const number = Math.floor(index / SESSION_EVENTS);
    const at = index % SESSION_EVENTS;
    const known = sessions.get(number) ?? start(number);
    const hook = (event: string, more: object = {}) =>
      call('hook.run', {
        agent: 'claude-code',
        event,
        payload: { session_id: known.session.id, cwd, transcript_path: known.path, ...more },
        withinMs: 300,
      });
    if (at === 0) await hook('SessionStart', { source: 'startup' });
    else if (at === SESSION_EVENTS - 1) {
      await hook('SessionEnd', { reason: 'exit' });
      sessions.delete(number);
    } else if (at % 10 === 1) {
      appendFileSync(
        known.path,
        known.session.human(
          at === 11 && number % 20 === 0
            ? `no, don't use tool ${number} here, use tool ${number + 1} instead`
            : `Go on with part ${at} of the work on module ${number}`,
        ),
      );
      await hook('UserPromptSubmit', { prompt: `Go on with part ${at} of the work on module ${number}` });
    } else if (at % 10 === 0) await hook('Stop');
    else {
      const id = `toolu_${index}`;
      appendFileSync(
        known.path,
        known.session.toolCall('Bash', { command: `make part-${at}` }, id) +
          known.session.toolResult(id, 'ok') +
          known.session.agent('Done.'),
      );
      await hook(at % 2 === 0 ? 'PreToolUse' : 'PostToolUse', {
        tool_name: 'Bash',
        tool_input: { command: `make part-${at}` },
      });
    }
  };

  function start(number: number) {
    const session = new ClaudeSession({ cwd });
    const known = { session, path: join(folder, `${session.id}.jsonl`) };
    writeFileSync(known.path, '');
    sessions.set(number, known);
    return known;
  }
}

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop'];

function runHook(home: string, cwd: string, faults: string[]): (index: number) => Promise<void> {
  return async (index) => {
    const event = EVENTS[index % EVENTS.length] ?? '';
    const payload = {
      session_id: `s${Math.floor(index / 100)}`,
      cwd,
      source: 'startup',
      prompt: 'Go on with the next part of the work',
    };
    const { code, complaint } = await fireHook(event, payload, { ...process.env, REFLECT_HOME: home });
    if (complaint) faults.push(complaint);
    if (code !== 0) faults.push(`exit ${code} at ${index}`);
  };
}

/** Prints the figures that may grow with the number of sessions and moments. */
function printTables(database: string): void {
  const db = new Database(database, { readonly: true });
  const rows = (table: string) =>
    `${db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number} rows of ${table}`;
  process.stdout.write(
    `${['session_use', 'recall_log', 'transcript', 'capture_window', 'effect', 'history_entry'].map(rows).join(', ')}; ${mb(statSync(database).size / 2 ** 20).trim()} of database\n`,
  );
  db.close();
}

if (!existsSync('/proc/self/fd')) throw new Error('the soak reads /proc and runs on Linux only');
const folder = mkdtempSync(join(tmpdir(), 'reflect-soak-'));
const paths = pathsOf(join(folder, 'home'));
const cwd = join(folder, 'shop');
mkdirSync(join(cwd, '.git'), { recursive: true });
writeFileSync(join(cwd, '.git', 'HEAD'), 'ref: refs/heads/main\n');
mkdirSync(paths.home, { recursive: true });
const PROBED = join(folder, 'memory.json');
const probing = `--import ${new URL('./memory-probe.ts', import.meta.url).href}`;
const daemon = await startBuilt(paths, {
  ...process.env,
  NODE_OPTIONS: probing,
  REFLECT_MEMORY_PROBE: PROBED,
});
try {
  const open = await connectTo(paths);
  if (!open) throw new Error('the daemon does not answer');
  const call = createClient(open.connection.send);
  for (let index = 0; index < 300; index++)
    await call('learnings.create', {
      note: {
        title: `Lesson ${index} on module ${index % 40}: check part ${index} before part ${index + 1}`,
        project: `git:${cwd}`,
      },
    });
  const begun = performance.now();
  process.stdout.write(
    `${values.events} events of ${Math.ceil(Number(values.events) / SESSION_EVENTS)} sessions\n`,
  );
  const events = await tenTimes(Number(values.events), AT_ONCE, daemon.pid, day(call, paths.home, cwd));
  process.stdout.write(
    `in ${((performance.now() - begun) / 1_000).toFixed(0)} s; ${(await call('capture.moments', { limit: 500 })).length} moments were noticed\n${values.calls} hook processes\n`,
  );
  const faults: string[] = [];
  const calls = await tenTimes(
    Number(values.calls),
    HOOKS_AT_ONCE,
    daemon.pid,
    runHook(paths.home, cwd, faults),
  );
  open.close();
  printTables(paths.database);
  const wrong = [...judge('events', events), ...judge('hooks', calls), ...faults.slice(0, 5)];
  process.stdout.write(wrong.length === 0 ? 'flat\n' : `${wrong.join('\n')}\n`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
