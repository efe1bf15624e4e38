// Shared by the stories with real agents: how each agent is driven, its sessions, and repositories to work in.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run, say } from '../../app/terminal.mjs';
import { cacheFolder } from '../cache.ts';
import { REAL_AGENTS, type RealAgent } from './agents.ts';
import { check, fetched, type Home, newHome, put, reflect, removeHome, tally } from './real-agent.ts';
import { type Move, type Script, type ScriptedModel, startScriptedModel } from './scripted-model.ts';

const TIMEOUT_MS = 60_000;
const LEARNS_WITHIN_MS = 15_000;

interface Driven {
  /** Arguments for a new session, and for the next prompt in it. */
  begin(prompt: string): string[];
  goOn(prompt: string): string[];
  /** True once a tool of the session has run. */
  hasRun(body: string): boolean;
  /** The model's call of one of our MCP tools, under the name the agent gives it. */
  callsTool(tool: string, input: object): Move;
}

const CODEX = [
  '--dangerously-bypass-hook-trust',
  '--dangerously-bypass-approvals-and-sandbox',
  '--skip-git-repo-check',
];
const CLAUDE = ['--allowedTools', 'Bash', 'mcp__reflect__learn'];

/** Agents that answer a prompt and then go on with it, with the permissions the stories need. */
export const DRIVEN = {
  'claude-code': {
    begin: (prompt) => ['-p', prompt, ...CLAUDE],
    goOn: (prompt) => ['-c', '-p', prompt, ...CLAUDE],
    hasRun: (body) => body.includes('"tool_result"'),
    callsTool: (tool, input) => ({ tool: `mcp__reflect__${tool}`, input }),
  },
  codex: {
    begin: (prompt) => ['exec', ...CODEX, prompt],
    goOn: (prompt) => ['exec', ...CODEX, 'resume', '--last', prompt],
    hasRun: (body) => body.includes('"function_call_output"'),
    callsTool: (tool, input) => ({ tool, input, namespace: 'mcp__reflect' }),
  },
} as const satisfies Record<string, Driven>;
export type DrivenId = keyof typeof DRIVEN;

interface Session {
  output: string;
  /** Requests that reached the model meanwhile, oldest first. */
  requests: string[];
}

export interface Stage {
  home: Home;
  agent: RealAgent;
  driven: Driven;
  session(cwd: string, args: string[]): Promise<Session>;
}

/** Sets the stage for a story: the agent with Reflect in a home of its own, and a model that follows the script. */
export async function withAgent(
  id: DrivenId,
  title: string,
  script: (agent: RealAgent) => Script,
  story: (stage: Stage) => Promise<void>,
): Promise<void> {
  say(`${title}: ${id}`);
  const agent = REAL_AGENTS.find((known) => known.id === id);
  const found = agent && (await fetched(agent.package));
  if (!agent || !found || 'problem' in found) {
    tally.skipped++;
    say(`  – skipped: ${found && 'problem' in found ? found.problem : 'no such agent'}`);
    return;
  }
  const model = await startScriptedModel(script(agent));
  const home = await newHome({ REFLECT_MODELS_DIR: cacheFolder('models') });
  try {
    await makeRepository(home.project);
    for (const [name, text] of Object.entries(agent.files(model.url)))
      put(path.join(home.folder, name), text);
    check('reflect install', (await reflect(home, 'install', id)).ok);
    const environment = { ...home.environment, ...agent.environment(model.url) };
    const session = sessionsOf(path.join(found.bin, agent.program), environment, model);
    await story({ home, agent, driven: DRIVEN[id], session });
  } finally {
    model.close();
    await removeHome(home);
  }
}

function sessionsOf(program: string, environment: Record<string, string>, model: ScriptedModel) {
  return async (cwd: string, args: string[]): Promise<Session> => {
    const before = model.requests.length;
    const { output } = await run(program, args, { cwd, env: environment, timeout: TIMEOUT_MS });
    return {
      output,
      requests: model.requests
        .slice(before)
        .filter((request) => /messages|responses/.test(request.split(' ')[0] ?? '')),
    };
  };
}

export interface Note {
  id: string;
  title: string;
}

/** The active learning about npm and pnpm, if there is one. */
export async function learned(home: Home): Promise<Note | null> {
  const { output } = await reflect(home, 'search', 'npm pnpm', '--json');
  const { hits = [] } = JSON.parse(output) as { hits?: Array<{ learning: Note }> };
  return hits.map(({ learning }) => learning).find(({ title }) => /pnpm/i.test(title)) ?? null;
}

export async function until<T>(look: () => Promise<T | null>): Promise<T | null> {
  const deadline = performance.now() + LEARNS_WITHIN_MS;
  for (let found = await look(); ; found = await look()) {
    if (found !== null || performance.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

export const git = (cwd: string, ...args: string[]) =>
  run('git', ['-C', cwd, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args]);

/** A repository in which npm cannot install, as if it required pnpm. */
export async function makeRepository(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await git(folder, 'init', '--quiet');
  writeFileSync(
    path.join(folder, 'package.json'),
    '{ "name": "shop", "scripts": { "preinstall": "exit 1" } }\n',
  );
  writeFileSync(path.join(folder, '.npmrc'), 'offline=true\nfetch-retries=0\n');
  await git(folder, 'add', '.');
  await git(folder, 'commit', '--quiet', '-m', 'Begin');
}
