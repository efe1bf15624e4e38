import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createVitest, type TestCase } from 'vitest/node';
import { MUTATIONS } from './mutations.ts';
import { SEED_PORTS, type SeedPort } from './seeds.ts';

/**
 * Takes each port of the seeds out in turn and shows that its proof fails then: `node daemon/ports/mutate.ts [seed …]`.
 * A proof counts when it passes with the port and when, without it, at least one of its tests fails on an assertion;
 * code that breaks proves nothing.
 */

const ROOT = resolve(import.meta.dirname, '../..');

const MUTATED = SEED_PORTS.map(({ seed, module }) => {
  const mutation = MUTATIONS[seed];
  if (!mutation) throw new Error(`nothing in mutations.ts takes ${seed} out`);
  return { seed, file: resolve(mutation.module ?? module), ...mutation };
});

/** Adds every mutation to its module as it is loaded. Each is dormant except for the proof of its port. */
const mutations = {
  name: 'reflect-mutations',
  enforce: 'pre' as const,
  transform: (code: string, id: string): string | undefined =>
    MUTATED.filter(({ file }) => file === id.split('?')[0]).reduce<string | undefined>(
      (mutated, { seed, heart, code: mutation }) =>
        // A constant becomes a variable, so that it can be replaced as a function can.
        `${(mutated ?? code).replace(`export const ${heart} =`, `export let ${heart} =`)}
if (globalThis.withoutPort === '${seed}') { ${mutation} }
`,
      undefined,
    ),
};

/** Runs proofs, each without the port named for it, and gives their tests by file. */
async function run(proofs: string[], without: Record<string, string>): Promise<Map<string, TestCase[]>> {
  const vitest = await createVitest(
    {
      // Without the config file: its projects would get neither the plugin nor the setup file.
      config: false,
      root: ROOT,
      include: proofs,
      pool: 'forks',
      // Every proof at once is much for a small machine, and a test that ran out of time proves nothing either way.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 20_000 } },
      watch: false,
      silent: true,
      // The cache on disk knows a module by its text, not by what mutations.ts adds to it.
      fsModuleCache: false,
      reporters: [{}],
      setupFiles: ['daemon/testing/without-port.ts'],
      provide: { withoutPort: without },
    },
    { plugins: [mutations] },
  );
  try {
    const { testModules, unhandledErrors } = await vitest.start(proofs);
    if (testModules.length < proofs.length) throw new Error(`ran ${testModules.length} of ${proofs.length}`);
    // Without a port, code that nobody awaits may fail as well.
    if (Object.keys(without).length === 0) for (const error of unhandledErrors) console.error(error);
    return new Map(testModules.map(({ moduleId, children }) => [moduleId, [...children.allTests()]]));
  } finally {
    await vitest.close();
  }
}

interface Verdict {
  proven: boolean;
  says: string;
}

/** The verdict on a proof, from the tests that name its seed. */
function judge(seed: string, intact: TestCase[], mutated: TestCase[]): Verdict {
  const ours = (tests: TestCase[]) =>
    tests.filter(({ fullName }) => new RegExp(`\\b${seed}\\b`).test(fullName));
  const unsound = ours(intact).filter((test) => test.result().state === 'failed');
  if (unsound.length > 0) return { proven: false, says: `fails with its port: ${unsound[0]?.name}` };
  const failed = ours(mutated).filter((test) => test.result().state === 'failed');
  const asserted = failed.filter((test) =>
    test.result().errors?.some(({ name }) => name === 'AssertionError'),
  );
  const total = ours(mutated).filter((test) => test.result().state !== 'skipped').length;
  const count = `${failed.length} of ${total} tests fail`;
  return asserted.length > 0
    ? { proven: true, says: count }
    : { proven: false, says: failed[0]?.result().errors?.[0]?.message ?? count };
}

/** One round takes out one port per proof; a proof of two ports needs two. */
function rounds(ports: readonly SeedPort[]): SeedPort[][] {
  const byProof = Object.values(Object.groupBy(ports, ({ proof }) => proof)) as SeedPort[][];
  return Array.from({ length: Math.max(...byProof.map(({ length }) => length)) }, (_, round) =>
    byProof.flatMap((sharing) => sharing[round] ?? []),
  );
}

async function main(): Promise<void> {
  const { positionals: seeds } = parseArgs({ allowPositionals: true });
  const ports = SEED_PORTS.filter(({ seed }) => seeds.length === 0 || seeds.includes(seed));
  const start = performance.now();
  const intact = await run([...new Set(ports.map(({ proof }) => proof))], {});
  const verdicts = new Map<string, Verdict>();
  for (const round of rounds(ports)) {
    const mutated = await run(
      round.map(({ proof }) => proof),
      Object.fromEntries(round.map(({ proof, seed }) => [resolve(proof), seed])),
    );
    for (const { seed, proof } of round)
      verdicts.set(seed, judge(seed, intact.get(resolve(proof)) ?? [], mutated.get(resolve(proof)) ?? []));
  }
  for (const { seed, what } of ports) {
    const { proven, says } = verdicts.get(seed) as Verdict; // every port is in one round
    const heart = MUTATIONS[seed]?.heart ?? '';
    console.log(`${proven ? '✓' : '✗'} ${seed.padEnd(4)} ${what.padEnd(38)} ${heart.padEnd(20)} ${says}`);
  }
  const proven = [...verdicts.values()].filter((verdict) => verdict.proven).length;
  const seconds = Math.round((performance.now() - start) / 1_000);
  console.log(`${proven} of ${ports.length} proofs fail without their port (${seconds} s)`);
  process.exitCode = proven === ports.length ? 0 : 1;
}

await main();
