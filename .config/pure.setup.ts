// The `pure` tier keeps its promise: whatever would start a process or a thread fails instead, and names the way out.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import workerThreads from 'node:worker_threads';
import { afterEach, vi } from 'vitest';

function refuse(what: string): never {
  throw new Error(
    `A pure test started ${what}. Let the test or its helper import what starts it, and it joins the \`process\` tier (.config/tiers.ts).`,
  );
}

for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const)
  Object.assign(childProcess, { [name]: () => refuse(`a process (${name})`) });
Object.assign(workerThreads, {
  Worker: function Worker() {
    refuse('a thread');
  },
});
syncBuiltinESMExports();

// Files share their worker: a fake clock that one leaves behind would stop the next.
afterEach(() => {
  vi.useRealTimers();
});
