import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { OWN_RUN_FOLDER, OWN_RUN_MARKER } from '../../../capture/own-runs.ts';
import { tempFolder } from '../../../testing/temp-home.ts';
import { argvOf } from './command.ts';
import { agentCommand, NOTE, writerWorld } from './testing.ts';

const PRINT = (value: unknown) =>
  `process.stdout.write(${JSON.stringify(typeof value === 'string' ? value : JSON.stringify(value))});`;
const result = (says: string, more: object = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: says,
  total_cost_usd: 0.0123,
  usage: { input_tokens: 10, cache_read_input_tokens: 900, output_tokens: 70 },
  modelUsage: { 'claude-sonnet': {} },
  ...more,
});

const world = (
  script: string,
  more: { knobs?: Record<string, string | number>; environment?: NodeJS.ProcessEnv } = {},
) =>
  writerWorld({
    environment: more.environment ?? {},
    knobs: {
      REFLECT_WRITER: 'command',
      REFLECT_WRITER_COMMAND: agentCommand(script),
      REFLECT_WRITER_TIMEOUT_SECONDS: 20,
      ...more.knobs,
    },
  });

const because = (why: RegExp) => [
  {
    metadata: {
      compression: 'synthetic',
      insteadOf: 'command',
      because: expect.stringMatching(why) as string,
    },
  },
];

test('an agent that reports as `claude -p --output-format json` does writes the note, and its tokens and money are counted', async () => {
  const { saysAndDrains, notes, runs, writer } = world(PRINT(result(JSON.stringify(NOTE))));
  await saysAndDrains();
  expect(notes()).toMatchObject([
    { title: NOTE.title, metadata: { writer: 'command', model: 'claude-sonnet' } },
  ]);
  expect(runs()).toMatchObject([
    { outcome: 'valid', model: 'claude-sonnet', tokensIn: 910, tokensOut: 70, costUsd: 0.0123 },
  ]);
  expect(writer.status().days).toMatchObject([
    { runs: 1, notes: 1, tokensIn: 910, tokensOut: 70, costUsd: 0.0123 },
  ]);
});

test('a stream of events, a list of them, Codex’s events, Gemini’s report and a bare answer are all understood', async () => {
  const events = [{ type: 'system', subtype: 'init' }, result(JSON.stringify(NOTE))];
  const codex = [
    { type: 'item.completed', item: { type: 'agent_message', text: JSON.stringify(NOTE) } },
    { type: 'turn.completed', usage: { input_tokens: 5, output_tokens: 6 } },
  ];
  const gemini = {
    session_id: 'g1',
    response: JSON.stringify(NOTE),
    stats: {
      models: { 'gemini-pro': { api: {}, tokens: { prompt: 5, candidates: 6, total: 11 } } },
      tools: {},
    },
  };
  const lines = (list: object[]) => list.map((event) => JSON.stringify(event)).join('\n');
  for (const output of [
    lines(events),
    JSON.stringify(events),
    lines(codex),
    JSON.stringify(gemini, null, 2),
    `Here you are:\n${JSON.stringify(NOTE)}`,
  ]) {
    const { saysAndDrains, notes, runs } = world(PRINT(output));
    await saysAndDrains();
    expect(notes(), output).toMatchObject([{ title: NOTE.title }]);
    expect(runs()[0]?.tokensIn, output).toBeGreaterThan(0);
  }
});

test('it gets the prompt on standard input, runs in our scratch folder with hooks silenced, and not as if inside the session that started us', async () => {
  const seen = join(tempFolder(), 'seen.json');
  const script = `import { readFileSync, writeFileSync } from 'node:fs';
    const { REFLECT_DISABLED, CLAUDECODE, HOME } = process.env;
    writeFileSync(process.env.SEEN, JSON.stringify({ prompt: readFileSync(0, 'utf8'), cwd: process.cwd(), REFLECT_DISABLED, CLAUDECODE, HOME, argv: process.argv.slice(2) }));
    ${PRINT(NOTE)}`;
  const { saysAndDrains } = world(script, {
    environment: { SEEN: seen, CLAUDECODE: '1', HOME: '/home/ada' },
  });
  await saysAndDrains();
  const { prompt, cwd, ...rest } = JSON.parse(readFileSync(seen, 'utf8')) as { prompt: string; cwd: string };
  expect(prompt.split('\n')[0]).toBe(OWN_RUN_MARKER);
  expect(prompt).toContain("don't bump payments.proto");
  expect(basename(cwd)).toBe(OWN_RUN_FOLDER);
  expect(rest).toEqual({ REFLECT_DISABLED: '1', HOME: '/home/ada', argv: [] });
});

test('no shell looks at what it is given', async () => {
  const witness = join(tempFolder(), 'witness');
  const { saysAndDrains } = writerWorld({
    knobs: {
      REFLECT_WRITER: 'command',
      REFLECT_WRITER_COMMAND: JSON.stringify([
        process.execPath,
        '-e',
        '0',
        `; touch ${witness} #`,
        '$(touch',
        `${witness})`,
      ]),
    },
  });
  await saysAndDrains();
  expect(existsSync(witness)).toBe(false);
});

test('an agent that hangs is killed with all it has started, and the note is written without it', async () => {
  const pids = join(tempFolder(), 'pids');
  const script = `import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    writeFileSync(process.env.PIDS, JSON.stringify([process.pid, child.pid]));
    setInterval(() => {}, 1000);`;
  const { saysAndDrains, notes, runs } = world(script, {
    environment: { PIDS: pids },
    knobs: { REFLECT_WRITER_TIMEOUT_SECONDS: 4 },
  });
  await saysAndDrains();
  expect(notes()).toMatchObject(because(/no answer came within 4 s/));
  expect(runs()).toMatchObject([{ outcome: 'failed' }]);
  const started = JSON.parse(readFileSync(pids, 'utf8')) as number[];
  expect(started).toHaveLength(2);
  await expect.poll(() => started.filter(isAlive)).toEqual([]);
});

test('an agent that fails is reported with its output, without the secrets of the environment', async () => {
  const script = `process.stderr.write('cannot log in with ' + process.env.AGENT_TOKEN); process.exitCode = 3;`;
  const { saysAndDrains, notes, runs } = world(script, { environment: { AGENT_TOKEN: 'no-known-shape-77' } });
  await saysAndDrains();
  expect(notes()).toMatchObject(because(/ended with code 3: cannot log in with \[redacted key\]/));
  expect(runs()).toMatchObject([
    { outcome: 'failed', detail: expect.not.stringContaining('no-known-shape') as string },
  ]);
});

test('an agent that never stops talking is stopped', async () => {
  const { saysAndDrains, notes } = world(
    `const line = 'x'.repeat(65536); const more = () => { while (process.stdout.write(line)); process.stdout.once('drain', more); }; more();`,
  );
  await saysAndDrains();
  expect(notes()).toMatchObject(because(/wrote more than 8388608 bytes/));
});

test('an agent that is not installed is no reason to lose the moment', async () => {
  const { saysAndDrains, notes } = writerWorld({
    knobs: { REFLECT_WRITER: 'command', REFLECT_WRITER_COMMAND: '["no-such-agent-anywhere"]' },
  });
  await saysAndDrains();
  expect(notes()).toMatchObject(because(/no-such-agent-anywhere cannot be started: ENOENT/));
});

test('the known agents are run without tools, and without leaving a transcript where they can', () => {
  expect(argvOf('claude', '').join(' ')).toBe(
    'claude -p --output-format stream-json --verbose --tools  --strict-mcp-config --no-session-persistence --model sonnet',
  );
  expect(argvOf('codex', 'gpt-5').join(' ')).toBe(
    'codex exec --json --sandbox read-only --skip-git-repo-check --ephemeral --model gpt-5 -',
  );
  expect(argvOf('gemini', '').join(' ')).toBe(
    'gemini --output-format json --approval-mode plan --extensions none --allowed-mcp-server-names none --skip-trust',
  );
  expect(() => argvOf('[]', '')).toThrow(/JSON list/);
  expect(() => argvOf('["a", 1]', '')).toThrow(/JSON list/);
});

/** A killed process may stay as an entry that nobody has collected; that one is dead. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
