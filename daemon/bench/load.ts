// Many at once: `npm run bench:load [-- --size 1000]`. A built daemon with models answers 200 recalls at once, alone and with hooks in
// between, then takes an import of 10,000 notes while it is pinged. Prints what each waited, and how busy the machine was with other
// work, because only on a quiet one do the figures mean something.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient, type Call } from '#contract/methods.ts';
import { exportArchive } from '../archive/export.ts';
import { connectTo } from '../client/connect.ts';
import type { Paths } from '../platform/paths.ts';
import { makeQuestions } from './corpus.ts';
import { benchEnvironment, DIST, type RunningDaemon, sleep, startBuilt } from './daemon-process.ts';
import { Homes, openHome } from './home.ts';
import { useOf, watchContention } from './machine.ts';
import { openInference } from './models.ts';
import { median, percentile } from './statistics.ts';

const { values } = parseArgs({
  options: { size: { type: 'string', default: '1000' }, imported: { type: 'string', default: '10000' } },
});
const RECALLS = 200;
const HOOKS = 50;
const HOOK_DEADLINE = 400; // ms; what a hook waits for a prompt
const CONNECTIONS = 20;

const say = (line: string) => process.stdout.write(`${line}\n`);
const ms = (value: number) => `${Math.round(value)} ms`;

/** Several clients, as several agents and windows are. */
async function clients(paths: Paths): Promise<{ calls: Call[]; close(): void }> {
  const open = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectTo(paths)));
  const all = open.filter((each) => each !== null);
  return {
    calls: all.map(({ connection }) => createClient(connection.send)),
    close: () => all.forEach((each) => each.close()),
  };
}

interface Waited {
  ms: number;
  ok: boolean;
  /** True when something was found or injected. */
  answered: boolean;
}

async function timedCall(work: () => Promise<boolean>): Promise<Waited> {
  const start = performance.now();
  const [ok, answered] = await work().then(
    (found) => [true, found],
    () => [false, false],
  );
  return { ms: performance.now() - start, ok: ok ?? false, answered: answered ?? false };
}

function tell(what: string, waited: readonly Waited[]): void {
  const times = waited.map((each) => each.ms);
  const failed = waited.filter(({ ok }) => !ok).length;
  say(
    `${what}: p50 ${ms(median(times))}, p95 ${ms(percentile(times, 0.95))}, p99 ${ms(percentile(times, 0.99))}, longest ${ms(Math.max(...times))}; ${failed} failed, ${waited.filter(({ answered }) => answered).length} of ${waited.length} with an answer`,
  );
}

const recall = (call: Call, query: string) =>
  timedCall(async () => (await call('recall.search', { query, global: true })).hits.length > 0);

const hook = (call: Call, prompt: string, session: string) =>
  timedCall(async () => {
    const payload = {
      session_id: session,
      cwd: '/home/ada/shop',
      hook_event_name: 'UserPromptSubmit',
      prompt,
    };
    const asked = { agent: 'claude-code', event: 'UserPromptSubmit', payload, withinMs: HOOK_DEADLINE };
    return (await call('hook.run', asked)).output !== '';
  });

async function benchCrowd({ paths, pid }: RunningDaemon): Promise<void> {
  const { calls, close } = await clients(paths);
  const callOf = (index: number) => calls[index % calls.length] as Call; // never empty
  const questions = makeQuestions(2 * RECALLS + HOOKS + 40, 7);
  const others = watchContention([pid]);
  const alone: Waited[] = [];
  for (const query of questions.splice(0, 40)) alone.push(await recall(callOf(0), query));
  tell('one recall after another', alone.slice(10));
  tell(
    `${RECALLS} recalls at once`,
    await Promise.all(questions.splice(0, RECALLS).map((query, at) => recall(callOf(at), query))),
  );
  const crowd = Promise.all(questions.splice(0, RECALLS).map((query, at) => recall(callOf(at), query)));
  const hooks = await Promise.all(
    questions.splice(0, HOOKS).map((prompt, at) => hook(callOf(at), prompt, `load-${at}`)),
  );
  tell(`${HOOKS} hooks beside ${RECALLS} recalls`, hooks);
  say(`  within ${HOOK_DEADLINE} ms: ${hooks.filter((each) => each.ms <= HOOK_DEADLINE).length} of ${HOOKS}`);
  tell('  the recalls beside them', await crowd);
  say(
    `memory ${Math.round(useOf(pid).rssMb)} MB; other work took ${Math.round(others() * 100)} % of the machine`,
  );
  close();
}

async function benchImport(daemon: RunningDaemon, archive: string, mode: 'merge' | 'force'): Promise<void> {
  const { calls, close } = await clients(daemon.paths);
  const [importing, pinging] = calls as [Call, Call];
  const others = watchContention([daemon.pid]);
  const pings: Waited[] = [];
  let isDone = false;
  const start = performance.now();
  const imported = importing('archive.import', { path: archive, mode }).finally(() => (isDone = true));
  while (!isDone) {
    pings.push(await timedCall(async () => (await pinging('config.list', {})).length > 0));
    await sleep(5);
  }
  const { added, replaced } = await imported;
  say(
    `import --${mode}: ${added.total} added, ${replaced.total} replaced in ${((performance.now() - start) / 1_000).toFixed(1)} s`,
  );
  tell('  pings meanwhile', pings);
  say(
    `  memory ${Math.round(useOf(daemon.pid).rssMb)} MB; other work took ${Math.round(others() * 100)} % of the machine`,
  );
  close();
}

async function main(): Promise<void> {
  if (!existsSync(join(DIST, 'main.js'))) throw new Error('run `npm run build` first');
  const environment = benchEnvironment();
  const inference = await openInference(environment);
  const homes = new Homes(inference, say);
  process.on('exit', () => homes.remove());
  try {
    const daemon = await startBuilt(await homes.copy(Number(values.size), 'load'), environment);
    await benchCrowd(daemon);
    const large = await homes.filled(Number(values.imported));
    const home = openHome(large, inference);
    const archive = join(homes.folder('archive'), 'load.tar');
    const store = { db: home.db, documents: large.documents, now: () => Date.now() };
    const parts = {
      store,
      staging: large.staging,
      backups: large.backups,
      keys: large.keys,
      signal: new AbortController().signal,
    };
    await exportArchive(parts, archive, { replace: false, tell: () => {} });
    home.close();
    await benchImport(daemon, archive, 'merge');
    await benchImport(daemon, archive, 'force');
    await daemon.stop();
  } finally {
    await inference.close();
  }
}

await main();
