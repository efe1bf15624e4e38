// A day of agents in fast-forward: `npm run bench:load -- --soak [--minutes 6]`. The daemon's clock runs as fast as the
// day is to be over, while sessions start, grow and end, hooks fire (some as real processes) and people search and
// edit. Every hour it prints the figures that must stay flat: memory after garbage collection, in total and by thread,
// open files, the write-ahead log; at the end those that may grow: rows and bytes of the database.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import type { Call } from '#contract/methods.ts';
import { pathsOf } from '../platform/paths.ts';
import { ClaudeSession } from '../testing/claude-session.ts';
import { makeQuestions } from './corpus.ts';
import { benchEnvironment, fireHook, openClient, sleep, startBuilt } from './daemon-process.ts';
import { type MemoryLeft, memoryProbe } from './probe.ts';
import { HOUR } from '../platform/time.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '6' }, soak: { type: 'boolean' } },
});
const HOURS = 24;
const AT_ONCE = 4;
const PACE = 10; // ms between two events of one agent
const SESSION_EVENTS = 50;
const WARM = 4; // hours until everything is loaded and cached
const GROWTH = 0.15; // of memory, from then to the last hour
const MORE_HEAP = 15; // MB between the same: each session keeps a few hundred bytes, its read position
const MORE_FILES = 5;
const LARGEST_LOG = 32; // MB

const realHour = (Number(values.minutes) * 60_000) / HOURS; // ms
const speed = HOUR / realHour;
const startedAt = Date.now();
/** The daemon's clock. */
const now = () => Math.round(startedAt + (Date.now() - startedAt) * speed);

interface Sample extends MemoryLeft {
  hour: number;
  events: number;
  /** Memory of the process before garbage collection. */
  rawMb: number;
  files: number;
  children: number;
  logMb: number;
}

async function look(pid: number, hour: number, events: number): Promise<Sample> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return {
    hour,
    events,
    rawMb: Number(status.match(/VmRSS:\s+(\d+)/)?.[1]) / 1_024,
    files: readdirSync(`/proc/${pid}/fd`).length,
    children: children.length,
    logMb: (statSync(`${paths.database}-wal`, { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20,
    ...(await probe.look(pid)),
  };
}

function parentOf(pid: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return -1; // exited meanwhile
  }
}

const mb = (value: number) => `${value.toFixed(0).padStart(4)} MB`;

function print({ hour, events, rawMb, rssMb, externalMb, heaps, files, children, logMb }: Sample): void {
  const byThread = heaps
    .toSorted((a, b) => a.thread - b.thread)
    .map(({ heapMb }) => heapMb.toFixed(1))
    .join(' + ');
  const reserved = mb(heaps.reduce((sum, { reservedMb }) => sum + reservedMb, 0));
  process.stdout.write(
    `${String(hour).padStart(2)} h ${String(events).padStart(7)} events ${mb(rawMb)}, collected ${mb(rssMb)}, heaps ${byThread} MB and ${reserved} in reserve, outside ${mb(externalMb)}, log ${logMb.toFixed(1)} MB, ${files} files, ${children} children\n`,
  );
}

const heapOf = ({ heaps, externalMb }: Sample) => heaps.reduce((sum, { heapMb }) => sum + heapMb, externalMb);

/** The faults of a run; none if everything stayed flat. */
function judge(samples: Sample[]): string[] {
  const [early, last] = [samples[WARM], samples.at(-1)];
  if (!early || !last) return ['nothing was measured'];
  const largestLog = Math.max(...samples.map(({ logMb }) => logMb));
  return [
    ...(last.rssMb > early.rssMb * (1 + GROWTH)
      ? [`memory grew from ${mb(early.rssMb)} to ${mb(last.rssMb)}`]
      : []),
    ...(heapOf(last) > heapOf(early) + MORE_HEAP
      ? [`the heap grew from ${mb(heapOf(early))} to ${mb(heapOf(last))}`]
      : []),
    ...(last.files > early.files + MORE_FILES
      ? [`open files grew from ${early.files} to ${last.files}`]
      : []),
    ...(largestLog > LARGEST_LOG ? [`the write-ahead log grew to ${mb(largestLog)}`] : []),
    ...(last.children > 0 ? [`${last.children} processes are still running`] : []),
  ];
}

/** The first and the last quarter of the day side by side, as means over their hours. */
function printQuarters(samples: Sample[]): void {
  const hours = samples.slice(1);
  const quarter = hours.length / 4;
  const line = (name: string, some: Sample[]) => {
    const mean = (of: (sample: Sample) => number) =>
      some.reduce((sum, each) => sum + of(each), 0) / some.length;
    const memory = `${mb(mean(({ rssMb }) => rssMb))} collected, heaps ${mb(mean(heapOf))}`;
    return `${name} quarter: ${memory}, ${mean(({ files }) => files).toFixed(1)} files, log ${mean(({ logMb }) => logMb).toFixed(1)} MB\n`;
  };
  process.stdout.write(line('first', hours.slice(0, quarter)) + line('last', hours.slice(-quarter)));
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
    const write = (lines: string) => {
      appendFileSync(known.path, lines);
      utimesSync(known.path, now() / 1_000, now() / 1_000);
    };
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
      const prompt =
        at === 11 && number % 20 === 0
          ? `no, don't use tool ${number} here, use tool ${number + 1} instead`
          : `Go on with part ${at} of the work on module ${number}`;
      write(known.session.human(prompt));
      await hook('UserPromptSubmit', { prompt });
    } else if (at % 10 === 0) await hook('Stop');
    else {
      const id = `toolu_${index}`;
      write(
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
    const session = new ClaudeSession({ cwd, at: now() });
    const known = { session, path: join(folder, `${session.id}.jsonl`) };
    writeFileSync(known.path, '');
    sessions.set(number, known);
    return known;
  }
}

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop'];

/** Beside the sessions: a person searches and edits, and a hook of another agent runs as a process. */
function meanwhile(call: Call, cwd: string, faults: string[]): (index: number) => Promise<void> {
  const questions = makeQuestions(2_000, 5);
  return async (index) => {
    await call('recall.search', { query: questions[index % questions.length] ?? '', global: true });
    const { items } = await call('learnings.list', { limit: 1, offset: index % 200, facets: false });
    if (items[0])
      await call('learnings.update', { id: items[0].id, patch: { body: `Edited ${index} times.` } });
    const payload = { session_id: `s${index}`, cwd, source: 'startup', prompt: 'Go on with the work' };
    const event = EVENTS[index % EVENTS.length] ?? '';
    const { code, complaint } = await fireHook(event, payload, { ...process.env, REFLECT_HOME: paths.home });
    if (complaint || code !== 0) faults.push(`${event} ended with ${code}: ${complaint}`);
  };
}

/** Prints the figures that may grow with the number of sessions and moments. */
function printTables(database: string): void {
  const db = new Database(database, { readonly: true });
  const rows = (table: string) =>
    `${db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number} rows of ${table}`;
  const tables = [
    'session_use',
    'recall_log',
    'transcript',
    'capture_window',
    'effect',
    'history_entry',
    'change',
  ];
  process.stdout.write(
    `${tables.map(rows).join(', ')}; ${mb(statSync(database).size / 2 ** 20).trim()} of database\n`,
  );
  db.close();
}

async function live(call: Call, pid: number, cwd: string): Promise<string[]> {
  const faults: string[] = [];
  const samples = [await look(pid, 0, 0)];
  const [event, aside] = [day(call, paths.home, cwd), meanwhile(call, cwd, faults)];
  let [next, asides] = [0, 0];
  for (let hour = 1; hour <= HOURS; hour++) {
    const until = startedAt + hour * realHour;
    const agent = async () => {
      while (Date.now() < until) {
        await event(next++);
        await sleep(PACE);
      }
    };
    const person = async () => {
      while (Date.now() < until) {
        await aside(asides++);
        await sleep(20 * PACE);
      }
    };
    await Promise.all([...Array.from({ length: AT_ONCE }, agent), person()]);
    const sample = await look(pid, hour, next);
    samples.push(sample);
    print(sample);
  }
  printQuarters(samples);
  return [...judge(samples), ...faults.slice(0, 5)];
}

if (!existsSync('/proc/self/fd')) throw new Error('the soak reads /proc and runs on Linux only');
const folder = mkdtempSync(join(tmpdir(), 'reflect-soak-'));
const paths = pathsOf(join(folder, 'home'));
const cwd = join(folder, 'shop');
mkdirSync(join(cwd, '.git'), { recursive: true });
writeFileSync(join(cwd, '.git', 'HEAD'), 'ref: refs/heads/main\n');
mkdirSync(paths.home, { recursive: true });
const probe = memoryProbe(folder);
const hurry = `--import ${new URL('./fast-forward.ts', import.meta.url).href}`;
const daemon = await startBuilt(paths, {
  ...benchEnvironment(),
  ...probe.environment,
  NODE_OPTIONS: `${hurry} ${probe.environment.NODE_OPTIONS}`,
  REFLECT_FAST_FORWARD: String(speed),
  REFLECT_FAST_FORWARD_FROM: String(startedAt),
});
try {
  const { call, close } = await openClient(paths);
  for (let index = 0; index < 300; index++)
    await call('learnings.create', {
      note: {
        title: `Lesson ${index} on module ${index % 40}: check part ${index} before part ${index + 1}`,
        project: `git:${cwd}`,
      },
    });
  process.stdout.write(`24 hours in ${values.minutes} minutes, ${speed.toFixed(0)} times as fast\n`);
  const wrong = await live(call, daemon.pid, cwd);
  process.stdout.write(`${(await call('capture.moments', { limit: 500 })).length} moments were noticed\n`);
  close();
  printTables(paths.database);
  process.stdout.write(wrong.length === 0 ? 'flat\n' : `${wrong.join('\n')}\n`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
