import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { findProgram } from '../platform/find-program.ts';
import { bareEnvironment } from '../testing/command-line.ts';
import { needs } from '../testing/needs.ts';
import { runDaemon } from '../testing/running-daemon.ts';

const FOLDER = fileURLToPath(new URL('./python', import.meta.url));
const README = readFileSync(new URL('./python/README.md', import.meta.url), 'utf8');

/** Runs Python with the client on its path, beside a daemon of its own. */
async function python(...args: string[]) {
  const { home, call } = await runDaemon();
  const env = {
    ...bareEnvironment(),
    REFLECT_HOME: home,
    PYTHONPATH: FOLDER,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const { stdout, stderr } = await promisify(execFile)('python3', args, { cwd: FOLDER, env });
  return { call, said: stdout + stderr };
}

describe('the Python client', () => {
  needs(findProgram('python3', process.env) ? null : 'python3 is not on this machine');

  test('passes its own tests against a daemon', async () => {
    const { said } = await python('-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests');
    expect(said).toMatch(/Ran 1[5-9] tests[^]*OK/);
  });

  test('does what its README shows', async () => {
    const [first = '', second = ''] = [...README.matchAll(/^```python\n([^]*?)^```/gm)].map(
      ([, code]) => code,
    );
    const { call } = await python('-c', `${first}\n${second}`);
    const traces = await call('traces.list', {});
    expect(traces.map(({ task, result }) => [task, result])).toEqual([
      ['Implement exponential backoff for retries', 'pass'],
      ['Handle transient API failures of the payment provider', 'pass'],
    ]);
    expect(traces[1]?.retrievedMemoryIds).toHaveLength(1);
  });
});
