import { type Import, importGraph, sourceFiles } from './imports.ts';

/** What a test needs beside itself. `pure` starts no process, no thread and no model; `process` may start any of them. */
export type Tier = 'pure' | 'process';

const STARTS = ['node:child_process', 'node:worker_threads'];
/** Product files that start something two imports down; a test or helper that takes one of them starts it too. */
const STARTERS = [
  'daemon/daemon.ts',
  'daemon/inference/inference.ts',
  'daemon/agents/checkup.ts',
  'daemon/drain/writers/llm/command.ts',
  'daemon/drain/writers/llm/discovery.ts',
  'daemon/drain/writers/llm/model-writer.ts',
];
const isHelper = (file: string) => /(?:^|\/)testing(?:\/|\.ts$)/.test(file);

/**
 * The tier is read off the imports, so nobody has to name it: a test is `process` when it, a helper it uses, or the code it
 * is about starts something. Code further down is not followed: most of it could start git, and most tests never let it.
 * `.config/pure.setup.ts` fails a test that this sorts wrongly.
 */
export function tierOf(test: string, graph: Map<string, Import[]>): Tier {
  const seen = new Set([test]);
  const values = (file: string) =>
    (graph.get(file) ?? []).filter(({ typeOnly }) => !typeOnly).map(({ target }) => target);
  for (const file of seen) {
    if (STARTERS.includes(file) || values(file).some((target) => STARTS.includes(target))) return 'process';
    if (file === test || isHelper(file)) for (const target of values(file)) seen.add(target);
  }
  return 'pure';
}

/** Every unit test file, by tier. */
export function testsByTier(): Record<Tier, string[]> {
  const graph = importGraph(sourceFiles('daemon', 'app', 'models', 'renderer'));
  const tests = [...graph.keys()].filter((file) => file.endsWith('.test.ts'));
  const inTier = (tier: Tier) => tests.filter((test) => tierOf(test, graph) === tier);
  return { pure: inTier('pure'), process: inTier('process') };
}
