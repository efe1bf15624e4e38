// Run by `npm run test:agents`: each agent, as published on npm, is connected in a temporary home by
// `reflect install`, shows its server, gets a lesson into the first request it sends, passes `reflect doctor` and is
// disconnected.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { setUp } from '../../app/setup.mjs';
import { run, say } from '../../app/terminal.mjs';
import { INSPECTOR, REAL_AGENTS, type RealAgent } from './agents.ts';
import { correctOnce } from './correct-once.ts';
import { learnWhenAsked } from './learn-when-asked.ts';
import { tryPlugin } from './plugins.ts';
import {
  check,
  fetched,
  type Home,
  newHome,
  put,
  REFLECT,
  reflect,
  removeHome,
  tally,
} from './real-agent.ts';
import { startScriptedModel } from './scripted-model.ts';

const LESSON = 'Never run npm install here, use pnpm';
const QUESTION = 'Is it npm install or pnpm that I run here?';
const MISTAKE = 'npm install --offline';
const TIMEOUT_MS = 120_000;

/** A home with one correction in it, so that tool warnings apply. */
async function makeHome(): Promise<Home> {
  const home = await newHome();
  const { output: id } = await reflect(home, 'add', LESSON, '--fix', 'pnpm install');
  await reflect(
    home,
    'call',
    'learnings.update',
    JSON.stringify({ id: id.trim(), patch: { type: 'correction' } }),
  );
  return home;
}

async function tryAgent(agent: RealAgent, bin: string): Promise<void> {
  const home = await makeHome();
  // The model makes the mistake once, when asked about packages, and answers everything else with one word.
  const mistake = (body: string) =>
    body.includes(QUESTION) && !body.includes(MISTAKE) ? agent.command?.(MISTAKE, body) : undefined;
  const model = await startScriptedModel((body) => mistake(body) ?? 'Understood.');
  const environment = {
    ...home.environment,
    ...agent.environment(model.url),
    PATH: [bin, home.environment['PATH']].join(path.delimiter),
  };
  const start = (args: string[]) =>
    run(path.join(bin, agent.program), args, { cwd: home.project, env: environment, timeout: TIMEOUT_MS });
  try {
    const files = agent.files(model.url);
    for (const [name, text] of Object.entries(files)) put(path.join(home.folder, name), text);
    const installed = await reflect(home, 'install', agent.id);
    check('reflect install', installed.ok, installed.output);

    const listed = await start(agent.list.args);
    check(
      `${agent.program} ${agent.list.args.join(' ')} shows it`,
      agent.list.shows.test(stripVTControlCharacters(listed.output)),
      listed.output,
    );

    const prompt = `Tidy up the ${agent.id} example`;
    const answered = await start(agent.ask(prompt));
    check('a session is answered', answered.output.includes('Understood.'), answered.output);
    const first = model.requests.find((request) => request.includes(prompt) && request.includes(LESSON));
    check(
      'the lesson is in what its model is sent, once',
      first?.split(LESSON).length === 2,
      first?.slice(0, 2_000) ?? 'no request with the prompt has it',
    );

    await reflect(home, 'config', 'set', 'REFLECT_INJECT_LIMIT', '0');
    await reflect(home, 'config', 'set', 'REFLECT_TOOL_WARNINGS', 'true');
    await reflect(home, 'install', agent.id, '--tools');
    await start(agent.ask(QUESTION));
    const asked = model.requests.filter((request) => request.includes(QUESTION));
    check(
      'a prompt about the lesson gets it injected',
      asked.some((request) => request.includes('on this (whole note') && request.includes(LESSON)),
      asked.at(-1)?.slice(0, 2_000) ?? 'no request with the prompt',
    );
    const warned = asked.filter((request) => request.includes('Before you do this'));
    check(
      agent.command ? 'a command that repeats the mistake is warned of' : 'of commands nothing is said',
      warned.length > 0 === (agent.command !== undefined),
      asked.at(-1)?.slice(-2_000),
    );

    const { output } = await run(process.execPath, [REFLECT, 'doctor'], {
      cwd: home.project,
      env: environment,
    });
    const bad = output
      .split('\n')
      .filter((line) => line.startsWith('✗') && !/index:|model /.test(line) && !agent.doctorSays?.test(line));
    check('reflect doctor finds nothing wrong', output.includes('hook answers') && bad.length === 0, output);

    const removed = await reflect(home, 'uninstall', agent.id);
    const left = Object.entries(files).filter(
      ([name, text]) => !isAsBefore(path.join(home.folder, name), text),
    );
    check(
      'reflect uninstall leaves every file as it was',
      removed.ok && left.length === 0,
      removed.output +
        left.map(([name]) => `\n${name}: ${readFileSync(path.join(home.folder, name), 'utf8')}`).join(''),
    );
    const gone = await start(agent.list.args);
    check(
      `${agent.program} ${agent.list.args.join(' ')} shows it no more`,
      !agent.list.shows.test(stripVTControlCharacters(gone.output)),
      gone.output,
    );
  } finally {
    model.close();
    await removeHome(home);
  }
}

const isAsBefore = (file: string, text: string) => existsSync(file) && readFileSync(file, 'utf8') === text;

async function tryInspector(bin: string): Promise<void> {
  const home = await makeHome();
  const inspect = (...args: string[]) =>
    run(path.join(bin, 'mcp-inspector'), ['--cli', process.execPath, REFLECT, 'mcp', ...args], {
      cwd: home.project,
      env: home.environment,
      timeout: TIMEOUT_MS,
    });
  try {
    const tools = await inspect('--method', 'tools/list');
    check('tools/list names recall', /"name": "recall"/.test(tools.output), tools.output);
    const called = await inspect(
      '--method',
      'tools/call',
      '--tool-name',
      'recall',
      '--tool-arg',
      'query=npm or pnpm',
    );
    check('tools/call recall finds the lesson', called.output.includes(LESSON), called.output);
  } finally {
    await removeHome(home);
  }
}

async function tryOne(
  name: string,
  attempt: (bin: string) => Promise<void>,
  packageName = name,
): Promise<void> {
  say(name);
  const found = await fetched(packageName);
  if ('bin' in found) return attempt(found.bin);
  tally.skipped++;
  say(`  – skipped: ${found.problem}`);
}

await setUp();
const wanted = process.argv.slice(2);
for (const agent of REAL_AGENTS.filter(
  ({ id }) => wanted.length === 0 || (wanted.includes(id) && !wanted.includes('plugins')),
))
  await tryOne(agent.package, (bin) => tryAgent(agent, bin));
if (wanted.length === 0 || wanted.includes('plugins'))
  for (const agent of REAL_AGENTS.filter(({ id }) => wanted.length < 2 || wanted.includes(id)))
    await tryOne(`${agent.package} as a plugin`, (bin) => tryPlugin(agent, bin), agent.package);
if (wanted.length === 0 || wanted.includes('inspector')) await tryOne(INSPECTOR, tryInspector);
if (wanted.length === 0 || wanted.includes('correct-once'))
  for (const agent of ['claude-code', 'codex'] as const) await correctOnce(agent);
if (wanted.length === 0 || wanted.includes('learn'))
  for (const agent of ['claude-code', 'codex'] as const) await learnWhenAsked(agent);
say(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
process.exitCode = tally.failed > 0 ? 1 : 0;
