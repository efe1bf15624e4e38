import { type Import, importGraph, sourceFiles } from './imports.ts';

/**
 * What a test needs beside itself. `pure` starts no process, no thread and no model; `process` starts the first two,
 * and `models` any of them. They share no worker: one that has loaded models takes 60 ms to start git, another one 5.
 */
export type Tier = 'pure' | 'process' | 'models';

const STARTS = ['node:child_process', 'node:worker_threads'];
/** Product files that start something two imports down; a test or helper that takes one of them starts it too. */
const STARTERS = [
  'daemon/daemon.ts',
  'daemon/agents/checkup.ts',
  'daemon/drain/writers/llm/command.ts',
  'daemon/drain/writers/llm/discovery.ts',
  'daemon/drain/writers/llm/model-writer.ts',
];
const MODELS = 'daemon/inference/inference.ts';
const isHelper = (file: string) => /(?:^|\/)testing(?:\/|\.ts$)/.test(file);

/**
 * The tier is read off the imports, so nobody has to name it: a test is `process` or `models` when it, a helper it
 * uses, or the code it is about starts something. Code further down is not followed: most of it could start git, and
 * most tests never let it. `.config/pure.setup.ts` fails a test that this sorts wrongly.
 */
export function tierOf(test: string, graph: Map<string, Import[]>): Tier {
  const seen = new Set([test]);
  let tier: Tier = 'pure';
  const values = (file: string) =>
    (graph.get(file) ?? []).filter(({ typeOnly }) => !typeOnly).map(({ target }) => target);
  for (const file of seen) {
    if (file === MODELS) return 'models';
    if (STARTERS.includes(file) || values(file).some((target) => STARTS.includes(target))) tier = 'process';
    if (file === test || isHelper(file)) for (const target of values(file)) seen.add(target);
  }
  return tier;
}

/** Every unit test file, by tier. */
export function testsByTier(): Record<Tier, string[]> {
  const graph = importGraph(sourceFiles('daemon', 'app', 'models', 'renderer'));
  const tests = [...graph.keys()].filter((file) => file.endsWith('.test.ts'));
  const inTier = (tier: Tier) => tests.filter((test) => tierOf(test, graph) === tier);
  return { pure: inTier('pure'), process: inTier('process'), models: inTier('models') };
}
