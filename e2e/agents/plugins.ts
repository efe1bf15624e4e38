// Reflect as a plugin or extension, written by `reflect plugin` and installed by the real agent from that folder,
// offline.
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { run } from '../../app/terminal.mjs';
import type { RealAgent } from './agents.ts';
import { check, type Home, newHome, put, reflect, removeHome } from './real-agent.ts';
import { startScriptedModel } from './scripted-model.ts';

const LESSON = 'Never run npm install here, use pnpm';
const TIMEOUT_MS = 120_000;

interface PluginTrial {
  /** The agent's own commands that install the folder. */
  install(folder: string): string[][];
  lists: { args: string[]; shows: RegExp };
  /** Variables that point the agent at the folder. */
  environment?(folder: string): Record<string, string>;
  /** Arguments that run the slash command with these words; absent where the agent cannot without a terminal. */
  slash?(words: string): string[];
}

const TRIALS: Readonly<Record<string, PluginTrial>> = {
  'claude-code': {
    install: (folder) => [
      ['plugin', 'validate', folder],
      ['plugin', 'marketplace', 'add', folder],
      ['plugin', 'install', 'reflect@reflect'],
    ],
    lists: { args: ['mcp', 'list'], shows: /plugin:reflect:reflect: .*✔ Connected/ },
    slash: (words) => ['-p', `/reflect:recall ${words}`],
  },
  codex: {
    install: (folder) => [
      ['plugin', 'marketplace', 'add', folder],
      ['plugin', 'add', 'reflect@reflect'],
    ],
    lists: { args: ['plugin', 'list'], shows: /reflect@reflect.*installed/ },
  },
  'gemini-cli': {
    install: (folder) => [['extensions', 'install', folder, '--consent']],
    lists: { args: ['extensions', 'list'], shows: /reflect \(/ },
    // No slash: with -p it puts the context of the hook before the words, which then begin with no slash.
  },
  opencode: {
    install: () => [],
    lists: { args: ['mcp', 'list'], shows: /✓ reflect.*connected/ },
    environment: (folder) => ({ OPENCODE_CONFIG_DIR: folder }),
    slash: (words) => ['run', '--command', 'reflect-recall', words],
  },
};

export async function tryPlugin(agent: RealAgent, bin: string): Promise<void> {
  const trial = TRIALS[agent.id];
  if (!trial) return;
  const home = await newHome();
  const model = await startScriptedModel(() => 'Understood.');
  const folder = path.join(home.folder, 'reflect-plugin');
  const environment = {
    ...home.environment,
    ...agent.environment(model.url),
    ...trial.environment?.(folder),
    PATH: [bin, home.environment['PATH']].join(path.delimiter),
  };
  const start = (args: string[]) =>
    run(path.join(bin, agent.program), args, { cwd: home.project, env: environment, timeout: TIMEOUT_MS });
  try {
    await reflect(home, 'add', LESSON, '--fix', 'pnpm install');
    for (const [name, text] of Object.entries(agent.files(model.url)))
      put(path.join(home.folder, name), text);
    const written = await reflect(home, 'plugin', agent.id, folder);
    check('reflect plugin writes it', written.ok, written.output);
    for (const args of trial.install(folder)) {
      const { ok, output } = await start(args);
      check(`${agent.program} ${args.slice(0, 3).join(' ')}`, ok, output);
    }
    const { output } = await start(trial.lists.args);
    check(
      `${agent.program} ${trial.lists.args.join(' ')} shows it`,
      trial.lists.shows.test(stripVTControlCharacters(output)),
      output,
    );
    if (trial.slash) await trySlash(trial.slash, start, model.requests);
    await tryBoth(agent, home, start, model.requests);
  } finally {
    model.close();
    await removeHome(home);
  }
}

type Start = (args: string[]) => Promise<{ ok: boolean; output: string }>;

async function trySlash(
  slash: (words: string) => string[],
  start: Start,
  requests: readonly string[],
): Promise<void> {
  const { output } = await start(slash('half up or half even'));
  check(
    'its slash command reaches the model with the words',
    requests.some(
      (request) => request.includes('Call the Reflect tool') && request.includes('half up or half even'),
    ),
    output,
  );
}

/** With the plugin alone, then with `reflect install` beside it, a session is given the lesson once. */
async function tryBoth(
  agent: RealAgent,
  home: Home,
  start: Start,
  requests: readonly string[],
): Promise<void> {
  for (const [index, how] of ['the plugin alone', 'reflect install beside it'].entries()) {
    if (index === 1) await reflect(home, 'install', agent.id);
    const prompt = `Tidy up example ${index}`;
    const { output } = await start(agent.ask(prompt));
    const first = requests.find((request) => request.includes(prompt) && request.includes(LESSON));
    check(
      `with ${how} the lesson is in what its model is sent, once`,
      first?.split(LESSON).length === 2,
      first?.slice(0, 2_000) ?? `no request has it\n${output}`,
    );
  }
}
