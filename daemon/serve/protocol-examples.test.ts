import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { findProgram } from '../platform/find-program.ts';
import { bareEnvironment } from '../testing/command-line.ts';
import { needs } from '../testing/needs.ts';
import { runDaemon } from '../testing/running-daemon.ts';

const PAGE = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8');
const TITLE = 'Retry the flaky auth test with a fixed clock';

const example = (language: string): string => {
  const [, code] = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(PAGE) ?? [];
  if (code === undefined) throw new Error(`docs/protocol.md has no example in ${language}`);
  return code;
};

/** Runs an example as it stands on the page, beside a daemon that knows one learning. */
async function run(program: string, language: string): Promise<string> {
  const { home, call } = await runDaemon();
  await call('learnings.create', { note: { title: TITLE, scope: 'global' } });
  const { stdout } = await promisify(execFile)(program, ['-c', example(language)], {
    env: { ...bareEnvironment(), REFLECT_HOME: home },
  });
  return stdout;
}

const missing = (...programs: string[]) => {
  const absent = programs.filter((program) => findProgram(program, process.env) === null);
  return absent.length > 0 ? `not on this machine: ${absent.join(', ')}` : null;
};

describe('the shell example of docs/protocol.md', () => {
  needs(missing('sh', 'curl', 'sed'));

  test('asks a running daemon and gets its answer', async () => {
    const { result } = JSON.parse(await run('sh', 'sh')) as {
      result: { hits: Array<{ learning: { title: string } }> };
    };
    expect(result.hits.map(({ learning }) => learning.title)).toEqual([TITLE]);
  });
});

describe('the Python example of docs/protocol.md', () => {
  needs(missing('python3'));

  test('asks a running daemon and prints what was learned', async () => {
    expect(await run('python3', 'python')).toBe(`${TITLE}\n`);
  });
});
