import type { Call } from '#contract/methods.ts';
import type { Paths } from '../platform/paths.ts';
import type { Bar } from './bars.ts';
import { makeQuestions } from './corpus.ts';
import { fireHook, openClient, type RunningDaemon } from './daemon-process.ts';
import { median, percentile } from './statistics.ts';

const RECALLS = 200;
const HOOKS = 50;
const HOOK_DEADLINE = 400; // ms; what a hook waits for a prompt
const CONNECTIONS = 20; // as several agents and windows have

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

const recall = (call: Call, query: string) =>
  timedCall(async () => (await call('recall.search', { query, global: true })).hits.length > 0);

const promptHook = (cwd: string, session: string, prompt: string) => ({
  session_id: session,
  cwd,
  hook_event_name: 'UserPromptSubmit',
  prompt,
});

const hook = (call: Call, cwd: string, session: string, prompt: string) =>
  timedCall(async () => {
    const payload = { ...promptHook(cwd, session, prompt), asked_at: Date.now() };
    const asked = { agent: 'claude-code', event: 'UserPromptSubmit', payload, withinMs: HOOK_DEADLINE };
    return (await call('hook.run', asked)).output !== '';
  });

const ms = (value: number) => `${Math.round(value)} ms`;

function tell(what: string, waited: readonly Waited[], say: (line: string) => void): void {
  const times = waited.map((each) => each.ms);
  const failed = waited.filter(({ ok }) => !ok).length;
  const answered = waited.filter((each) => each.answered).length;
  say(
    `${what}: p50 ${ms(median(times))}, p95 ${ms(percentile(times, 0.95))}, p99 ${ms(percentile(times, 0.99))}, longest ${ms(Math.max(...times))}; ${failed} failed, ${answered} of ${waited.length} with an answer`,
  );
}

const at = (share: number) => (waited: readonly Waited[]) =>
  percentile(
    waited.map((each) => each.ms),
    share,
  );
const [at95, at99] = [at(0.95), at(0.99)];

/** Everybody asks at once: recalls of many clients, of one beside another, and hooks in between. */
export async function benchCrowd(
  { paths }: RunningDaemon,
  environment: NodeJS.ProcessEnv,
  repository: string,
  say: (line: string) => void,
): Promise<Bar[]> {
  return barsOf(await askTogether(paths, environment, repository, say));
}

async function askTogether(
  paths: Paths,
  environment: NodeJS.ProcessEnv,
  repository: string,
  say: (line: string) => void,
) {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => openClient(paths)));
  const callOf = (index: number): Call => clients[index % CONNECTIONS]!.call;
  const questions = makeQuestions(3 * RECALLS + 2 * HOOKS + 60, 7);
  const next = (count: number) => questions.splice(0, count);
  for (const query of next(10)) await recall(callOf(0), query);
  const alone: Waited[] = [];
  for (const query of next(30)) alone.push(await recall(callOf(0), query));
  tell('one recall after another', alone, say);

  const atOnce = await Promise.all(next(RECALLS).map((query, at) => recall(callOf(at), query)));
  tell(`${RECALLS} recalls at once`, atOnce, say);

  const greedy = Promise.all(next(RECALLS).map((query) => recall(callOf(0), query)));
  const modest = await Promise.all(next(10).map((query, at) => recall(callOf(at + 1), query)));
  const crowd = await greedy;
  tell(`10 clients with a recall each beside one with ${RECALLS}`, modest, say);
  tell('  that one', crowd, say);

  const beside = Promise.all(next(RECALLS).map((query, at) => recall(callOf(at), query)));
  const hooks = await Promise.all(
    next(HOOKS).map((prompt, at) => hook(callOf(at), repository, `load-${at}`, prompt)),
  );
  tell(`${HOOKS} hooks beside ${RECALLS} recalls`, hooks, say);
  const besideHooks = await beside;
  tell('  those recalls', besideHooks, say);

  const fired = await Promise.all(
    next(HOOKS).map((prompt, at) =>
      fireHook('UserPromptSubmit', promptHook(repository, `process-${at}`, prompt), {
        ...environment,
        REFLECT_HOME: paths.home,
      }),
    ),
  );
  say(
    `${HOOKS} hook processes at once: ${fired.filter(({ output }) => output !== '').length} with an answer, longest ${ms(Math.max(...fired.map((each) => each.ms)))}`,
  );
  for (const { close } of clients) close();
  return { atOnce, modest, crowd, hooks, besideHooks, fired };
}

function barsOf(waited: Awaited<ReturnType<typeof askTogether>>): Bar[] {
  const { atOnce, modest, crowd, hooks, besideHooks, fired } = waited;
  const all = [...atOnce, ...modest, ...crowd, ...hooks];
  const bar = (what: string, limit: number, unit: Bar['unit'], measured: number): Bar => ({
    what,
    limit,
    unit,
    measured,
  });
  return [
    bar(`${RECALLS} recalls at once, p99`, 1_500, 'ms', at99(atOnce)),
    bar('requests of the crowd that failed', 0, '%', (100 * all.filter(({ ok }) => !ok).length) / all.length),
    bar(
      `slowest of 10 other clients ÷ one client's ${RECALLS}`,
      0.5,
      '×',
      Math.max(...modest.map((each) => each.ms)) / Math.max(...crowd.map((each) => each.ms)),
    ),
    bar(
      `${HOOKS} hooks ÷ the ${RECALLS} recalls beside them, p95`,
      0.5,
      '×',
      at95(hooks) / at95(besideHooks),
    ),
    bar(
      `hooks answered after their ${HOOK_DEADLINE} ms`,
      0,
      '%',
      (100 * hooks.filter(({ answered, ms }) => answered && ms > HOOK_DEADLINE).length) / HOOKS,
    ),
    bar(
      `${HOOKS} hook processes at once`,
      0,
      'exit code',
      Math.max(...fired.map(({ code, complaint }) => (complaint ? 1 : Math.abs(code)))),
    ),
  ];
}
