import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { Capture } from './capture.ts';

const WORKER = new URL('./worker.ts', import.meta.url);
/** Set to 1000 for the long form; a crash of native code would end the whole test process. */
const ROUNDS = Number(process.env['REFLECT_CAPTURE_ROUNDS'] ?? 9);

/** Makes, renames and deletes folders and files below a root until it is told to stop. */
function churn(root: string): () => void {
  let step = 0;
  const timer = setInterval(() => {
    const folder = join(root, `project-${step % 9}`);
    mkdirSync(join(folder, 'deep'), { recursive: true });
    writeFileSync(join(folder, 'deep', `${step}.jsonl`), '{}\n');
    if (step % 4 === 3) {
      renameSync(folder, join(root, `moved-${step}`));
      rmSync(join(root, `moved-${step - 80}`), { recursive: true, force: true });
    }
    step++;
  }, 3);
  return () => clearInterval(timer);
}

test(
  'the capture thread can be started and stopped at any moment while its folders change',
  { timeout: 120_000 + ROUNDS * 2_000 },
  async () => {
    const home = tempFolder();
    const root = join(home, '.claude', 'projects');
    for (let folder = 0; folder < 50; folder++) mkdirSync(join(root, `old-${folder}`), { recursive: true });
    const settle = churn(root);
    const problems: string[] = [];
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const capture = new Capture({
          worker: WORKER,
          start: () => ({ home, environment: {}, positions: [], swept: {}, readSince: {}, knobs: {} }),
          onBatch: () => {},
          onProgress: () => {},
          onProblem: (message) => problems.push(message),
          onCrash: (error) => problems.push(String(error)),
        });
        capture.run();
        await new Promise(setImmediate); // its thread has been created
        // Some are stopped before their thread runs, some while it sets its watches up, some afterwards.
        if (round % 3 > 0) await new Promise((done) => setTimeout(done, (round * 37) % 250));
        if (round % 3 === 2) await expect.poll(() => capture.folders.length).toBeGreaterThan(0);
        await capture.stop();
        expect(capture.state).toBe('off');
      }
    } finally {
      settle();
    }
    expect(problems.filter((problem) => !problem.includes('ENOENT'))).toEqual([]);
  },
);

test('a thread that crashed is started again after a while, but not once capture was stopped', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const worker = join(tempFolder(), 'crash.mjs');
  writeFileSync(worker, 'throw new Error("crashed");');
  let starts = 0;
  const capture = new Capture({
    worker: pathToFileURL(worker),
    start: () => ({
      home: '',
      environment: {},
      positions: [],
      swept: {},
      readSince: {},
      knobs: { starts: ++starts },
    }),
    onBatch: () => {},
    onProgress: () => {},
    onProblem: () => {},
    onCrash: () => {},
  });
  /** The thread is gone, and its successor waits for its time. */
  const crashed = () => [starts, capture.state, vi.getTimerCount()];
  capture.run();
  await vi.waitFor(() => expect(crashed()).toEqual([1, 'off', 1]), { timeout: 10_000 });
  await vi.advanceTimersByTimeAsync(5_000);
  await vi.waitFor(() => expect(crashed()).toEqual([2, 'off', 1]), { timeout: 10_000 });
  await capture.stop();
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(crashed()).toEqual([2, 'off', 0]);
});

test('the capture thread steps back for those who wait for an answer', async ({ skip }) => {
  if (process.platform !== 'linux') skip('only Linux has priorities of threads');
  const nicePerThread = () =>
    readdirSync('/proc/self/task').map((thread) => {
      const [, afterName = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ');
      return Number(afterName.split(' ')[16]);
    });
  const capture = new Capture({
    worker: WORKER,
    start: () => ({
      home: tempFolder(),
      environment: {},
      positions: [],
      swept: {},
      readSince: {},
      knobs: {},
    }),
    onBatch: () => {},
    onProgress: () => {},
    onProblem: () => {},
    onCrash: () => {},
  });
  onTestFinished(() => capture.stop());
  const own = getPriority();
  capture.run();
  await expect.poll(nicePerThread).toContain(Math.max(own, constants.priority.PRIORITY_LOW));
  expect(getPriority(), 'the thread that answers keeps its own').toBe(own);
});
