import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '#contract/agents.ts';
import { tempFolder } from '../testing/temp-home.ts';
import type { Place } from './agent.ts';
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

/** A home with an agent, and a Reflect that is the given script. */
function placeWith(script: string, ...folders: string[]): { place: Place; records: InstallRecords } {
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
    place: { home, environment: {}, project: null, launcher, withTools: false },
    records: new InstallRecords(join(home, '.reflect')),
  };
}

const bad = (findings: Finding[]) =>
  findings.filter(({ ok }) => !ok).map(({ what, advice }) => `${what} — ${advice ?? ''}`);

test('an agent that is plugged in is checked from its files to an answer', async () => {
  const { place, records } = placeWith(SOUND, '.claude', '.codex');
  install(claudeCode, { ...place, withTools: true }, records);
  install(codex, place, records);
  appendFileSync(
    join(place.home, '.codex', 'config.toml'),
    `\n[hooks.state."${join(place.home, '.codex', 'hooks.json')}:session_start:0:0"]\ntrusted_hash = "sha256:1"\n`,
  );
  const findings = await checkAgents(AGENTS, place);
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

test('hooks of Codex that nobody has trusted are told of', async () => {
  const { place, records } = placeWith(SOUND, '.codex');
  install(codex, place, records);
  expect(bad(await checkAgents(AGENTS, place))).toEqual([
    'Codex: you have not trusted its hooks yet, so it does not run them — type /hooks in Codex, look at them, and trust them',
  ]);
});

test('an agent without Reflect is no fault, and one that is not there is not spoken of', async () => {
  const { place } = placeWith(SOUND, '.gemini');
  expect(await checkAgents(AGENTS, place)).toEqual([
    {
      ok: true,
      what: 'Gemini CLI is here, and Reflect is not plugged into it',
      advice: '`reflect install gemini-cli`',
    },
  ]);
});

test('entries that are missing, old or unreadable are told with what to do', async () => {
  const { place, records } = placeWith(SOUND, '.claude', '.codex');
  install(claudeCode, place, records);
  install(codex, place, records);
  const settings = join(place.home, '.claude', 'settings.json');
  writeFileSync(
    settings,
    readFileSync(settings, 'utf8').replaceAll(place.launcher.script, '/gone/reflect.cjs'),
  );
  writeFileSync(join(place.home, '.claude.json'), '{}');
  writeFileSync(join(place.home, '.codex', 'config.toml'), 'a = 1\nb = \n');
  expect(bad(await checkAgents(AGENTS, place))).toEqual([
    `Claude Code: hooks of another Reflect or an older one in ${settings} — \`reflect install claude-code\``,
    expect.stringMatching(
      /^Claude Code: MCP server missing from .*\.claude\.json — `reflect install claude-code`$/,
    ),
    expect.stringMatching(/^Codex: .*config\.toml, line 2, is not valid TOML.* — mend the file/),
  ]);
});

test('a hook that fails and a server that says nothing are told', async () => {
  const { place, records } = placeWith('console.error("no such module"); process.exit(1)', '.claude');
  install(claudeCode, place, records);
  expect(bad(await checkAgents(AGENTS, place))).toEqual([
    'the MCP server does not answer: no such module — run `reflect mcp` by hand and see what it says',
    "Claude Code: hook failed with 1: no such module — run it by hand: echo '{}' | reflect hook SessionStart claude-code",
  ]);
});

test('what a hook may print is silence or one JSON object, in time and with success', () => {
  const fine = { code: 0, stdout: '', stderr: '', ms: 50 };
  expect(hookProblem(fine, 3_000)).toBeNull();
  expect(hookProblem({ ...fine, stdout: '{"continue":true}' }, 3_000)).toBeNull();
  expect(hookProblem({ ...fine, stdout: 'hello' }, 3_000)).toBe('printed what is no JSON object: hello');
  expect(hookProblem({ ...fine, code: null, ms: 3_001 }, 3_000)).toBe(
    'takes longer than the 3 s its agent waits',
  );
  expect(hookProblem({ ...fine, code: 2, stderr: 'boom' }, 3_000)).toBe('failed with 2: boom');
});
