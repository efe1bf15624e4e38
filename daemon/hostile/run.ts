// The long form of the hostile tests, `npm run test:hostile`: minutes, where `npm test` takes seconds.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Sessions of people, if this machine has the data of the benches. */
const SESSIONS = join(ROOT, '..', 'shared', 'data', 'transcripts', 'claude-code');
const LONG = {
  REFLECT_HOSTILE_RUNS: '2000', // random inputs for each door
  REFLECT_HOSTILE_KILLS: '500',
  REFLECT_HOSTILE_SESSIONS: existsSync(SESSIONS) ? SESSIONS : '',
  REFLECT_CASES_SEED: String(Date.now()), // other cases each time
  REFLECT_CAPTURE_ROUNDS: '1000', // starts and stops of the capture thread while its folders change
};
const tests = [
  'daemon/hostile',
  'daemon/capture/capture.test.ts',
  'daemon/capture/hostile-folders.test.ts',
  'daemon/recovery.test.ts',
];
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--config', '.config/vitest.config.ts', ...tests],
  { cwd: ROOT, stdio: 'inherit', env: { ...LONG, ...process.env } },
);
process.exitCode = status ?? 1;
