import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '#contract/agents.ts';
import { tempFolder } from '../testing/temp-home.ts';
import type { InstallContext } from './agent.ts';
import { AGENTS } from './all-agents.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { checkAgents, hookProblem } from './checkup.ts';
import { install } from './install.ts';
import { InstallRecords } from './records.ts';

const SOUND = `
  if (process.argv[2] === 'hook') process.stdout.write(JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'hi' } }));
  else require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = method === 'initialize' ? { serverInfo: { name: 'reflect', version: '9.9' } } : { tools: [{ name: 'recall' }, { name: 'hydrate' }] };
    if (id) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });`;

/** A home with an agent, where Reflect is the given script. */
function contextWith(
  script: string,
  ...folders: string[]
): { context: InstallContext; records: InstallRecords } {
  const home = tempFolder();
  for (const folder of folders) mkdirSync(join(home, folder));
  const file = join(home, 'reflect.cjs');
  writeFileSync(file, script);
  const launcher = {
    node: process.execPath,
    script: file,
    environment: {},
    platform: process.platform,
    shim: '',
  };
  return {
    context: { home, environment: {}, project: null, launcher, withTools: false },
    records: new InstallRecords(join(home, '.reflect')),
  };
}

const bad = (findings: Finding[]) =>
  findings.filter(({ ok }) => !ok).map(({ what, advice }) => `${what} — ${advice ?? ''}`);

test('a connected agent is checked from its files to a real answer', async () => {
  const { context, records } = contextWith(SOUND, '.claude', '.codex');
  install(claudeCode, { ...context, withTools: true }, records);
  install(codex, context, records);
  appendFileSync(
    join(context.home, '.codex', 'config.toml'),
    `\n[hooks.state."${join(context.home, '.codex', 'hooks.json')}:session_start:0:0"]\ntrusted_hash = "sha256:1"\n`,
  );
  const findings = await checkAgents(AGENTS, context);
  expect(bad(findings)).toEqual([]);
  expect(findings.map(({ what }) => what)).toEqual([
    'MCP server reflect 9.9 offers 2 tools',
    expect.stringContaining('Claude Code: hooks in '),
    expect.stringContaining('Claude Code: MCP server in '),
    expect.stringMatching(/Claude Code: hook answers in \d+ ms$/),
    expect.stringContaining('Codex: hooks in '),
    expect.stringContaining('Codex: MCP server in '),
    expect.stringMatching(/Codex: hook answers in \d+ ms$/),
  ]);
});

test('Codex hooks that are not trusted yet are reported', async () => {
  const { context, records } = contextWith(SOUND, '.codex');
  install(codex, context, records);
  expect(bad(await checkAgents(AGENTS, context))).toEqual([
    'Codex: its hooks are not trusted yet, so it does not run them — type /hooks in Codex, review them and trust them',
  ]);
});

test('an agent without Reflect is not a fault, and an agent that is not on the machine is not mentioned', async () => {
  const { context } = contextWith(SOUND, '.gemini');
  expect(await checkAgents(AGENTS, context)).toEqual([
    {
      ok: true,
      what: 'Gemini CLI is on this machine, without Reflect',
      advice: '`reflect install gemini-cli`',
    },
  ]);
});

test('entries that are missing, outdated or unreadable are reported with advice', async () => {
  const { context, records } = contextWith(SOUND, '.claude', '.codex');
  install(claudeCode, context, records);
  install(codex, context, records);
  const settings = join(context.home, '.claude', 'settings.json');
  writeFileSync(
    settings,
    readFileSync(settings, 'utf8').replaceAll(context.launcher.script, '/gone/reflect.cjs'),
  );
  writeFileSync(join(context.home, '.claude.json'), '{}');
  writeFileSync(join(context.home, '.codex', 'config.toml'), 'a = 1\nb = \n');
  expect(bad(await checkAgents(AGENTS, context))).toEqual([
    `Claude Code: hooks from an older or another Reflect in ${settings} — \`reflect install claude-code\``,
    expect.stringMatching(
      /^Claude Code: MCP server missing from .*\.claude\.json — `reflect install claude-code`$/,
    ),
    expect.stringMatching(/^Codex: .*config\.toml, line 2, is not valid TOML.* — fix the file/),
  ]);
});

test('a failing hook and a silent MCP server are reported', async () => {
  const { context, records } = contextWith('console.error("no such module"); process.exit(1)', '.claude');
  install(claudeCode, context, records);
  expect(bad(await checkAgents(AGENTS, context))).toEqual([
    'the MCP server does not answer: no such module — run `reflect mcp` in a terminal to see the error',
    "Claude Code: hook failed with 1: no such module — run it in a terminal: echo '{}' | reflect hook SessionStart claude-code",
  ]);
});

test('a hook may print nothing or one JSON object, within its time limit and with exit code 0', () => {
  const fine = { code: 0, stdout: '', stderr: '', ms: 50 };
  expect(hookProblem(fine, 3_000)).toBeNull();
  expect(hookProblem({ ...fine, stdout: '{"continue":true}' }, 3_000)).toBeNull();
  expect(hookProblem({ ...fine, stdout: 'hello' }, 3_000)).toBe(
    'printed something other than a JSON object: hello',
  );
  expect(hookProblem({ ...fine, code: null, ms: 3_001 }, 3_000)).toBe(
    'takes longer than the 3 s its agent waits',
  );
  expect(hookProblem({ ...fine, code: 2, stderr: 'boom' }, 3_000)).toBe('failed with 2: boom');
});
