import { existsSync } from 'node:fs';
import { timeoutSeconds } from './events.ts';
import type { AgentState, Finding } from '#contract/agents.ts';
import { messageOf } from '#contract/errors.ts';
import type { Agent, InstallContext, Target } from './agent.ts';
import { linked, readConfig } from './config/config-file.ts';
import { isPresent, programOf } from './install.ts';
import { ConfigProblem } from './problems.ts';
import { askMcp, type Ran, run, runHook } from './probe.ts';
import { isRecord, jsonOrNull } from '../platform/json.ts';

const MCP_TIMEOUT_MS = 10_000;
const VERSION_TIMEOUT_MS = 5_000;

type FileState = AgentState['files'][number];

/** Checks every agent on this machine: its files, then a real hook and a real MCP answer. */
export async function checkAgents(agents: readonly Agent[], context: InstallContext): Promise<Finding[]> {
  const present = agents.filter((agent) => isPresent(agent, context));
  const found = await Promise.all(present.map((agent) => checkAgent(agent, context)));
  const anyInstalled = present.some((agent) =>
    statesOf(agent, context).some(({ state }) => state !== 'absent'),
  );
  return [...(anyInstalled ? [await checkMcp(context)] : []), ...found.flat()];
}

async function checkAgent(agent: Agent, context: InstallContext): Promise<Finding[]> {
  const states = statesOf(agent, context);
  const advice = `\`reflect install ${agent.id}\``;
  const version = await versionOf(agent, context);
  if (states.every(({ state }) => state === 'absent'))
    return [{ ok: true, what: `${agent.name}${version} is on this machine, without Reflect`, advice }];
  const entries = states.map((file) => findingOf(agent, file, advice));
  if (entries.some(({ ok }) => !ok)) return entries;
  const waiting = agent.waitsFor?.(context);
  return [
    ...entries,
    await checkHook(agent, context, version),
    ...(waiting ? [{ ok: false, what: `${agent.name}: ${waiting.what}`, advice: waiting.advice }] : []),
  ];
}

/** The state of our entries in each file of an agent; with or without tool hooks, both are up to date. */
export function statesOf(agent: Agent, context: InstallContext): FileState[] {
  const withTools = agent.targets({ ...context, withTools: true });
  return agent.targets({ ...context, withTools: false }).map((target, index) => ({
    file: target.file,
    holds: target.holds,
    ...stateOf(target, withTools[index] ?? target),
  }));
}

function stateOf({ file, edit }: Target, other: Target): Pick<FileState, 'state' | 'problem'> {
  try {
    const text = readConfig(linked(file));
    if (text === null || !edit.isIn(text)) return { state: 'absent', problem: null };
    return {
      state: [edit, other.edit].some((either) => either.apply(text) === text) ? 'in-place' : 'outdated',
      problem: null,
    };
  } catch (error) {
    if (error instanceof ConfigProblem)
      return {
        state: 'unreadable',
        problem: `${file}${error.line ? `, line ${error.line},` : ''} ${error.message}`,
      };
    return { state: 'unreadable', problem: messageOf(error) };
  }
}

function findingOf({ name }: Agent, { file, holds, state, problem }: FileState, advice: string): Finding {
  if (state === 'unreadable')
    return {
      ok: false,
      what: `${name}: ${problem ?? ''}`,
      advice: 'fix the file; the agent cannot read it either',
    };
  if (state === 'in-place') return { ok: true, what: `${name}: ${holds} in ${file}` };
  return {
    ok: false,
    what: `${name}: ${holds} ${state === 'absent' ? 'missing from' : 'from an older or another Reflect in'} ${file}`,
    advice,
  };
}

async function checkHook(agent: Agent, context: InstallContext, version: string): Promise<Finding> {
  const { node, script } = context.launcher;
  const missing = [node, script].find((file) => !existsSync(file));
  if (missing)
    return {
      ok: false,
      what: `${agent.name}: its hooks start ${missing}, which does not exist`,
      advice: `\`reflect install ${agent.id}\``,
    };
  const { command, payload } = agent.sessionStart(context);
  const timeoutMs = timeoutSeconds('SessionStart') * 1_000;
  const ran = await runHook(command, payload(process.cwd()), timeoutMs);
  const problem = hookProblem(ran, timeoutMs);
  const what = `${agent.name}${version}: hook answers in ${Math.round(ran.ms)} ms${ran.stdout === '' ? ', with nothing to inject here' : ''}`;
  return problem
    ? {
        ok: false,
        what: `${agent.name}${version}: hook ${problem}`,
        advice: `run it in a terminal: echo '{}' | reflect hook SessionStart ${agent.id}`,
      }
    : { ok: true, what };
}

/** An agent accepts either no output or one JSON object, with exit code 0. */
export function hookProblem({ code, stdout, stderr, ms }: Ran, timeoutMs: number): string | null {
  if (ms >= timeoutMs) return `takes longer than the ${timeoutMs / 1_000} s its agent waits`;
  if (code !== 0) return `failed with ${code ?? 'no exit code'}: ${stderr.trim().split('\n').at(-1) ?? ''}`;
  if (stdout === '' || isRecord(jsonOrNull(stdout))) return null;
  return `printed something other than a JSON object: ${stdout.slice(0, 80)}`;
}

async function checkMcp({ launcher }: InstallContext): Promise<Finding> {
  try {
    const { name, version, tools } = await askMcp(
      [launcher.node, launcher.script, 'mcp'],
      launcher.environment,
      MCP_TIMEOUT_MS,
    );
    return { ok: tools.length > 0, what: `MCP server ${name} ${version} offers ${tools.length} tools` };
  } catch (error) {
    return {
      ok: false,
      what: `the MCP server does not answer: ${messageOf(error)}`,
      advice: 'run `reflect mcp` in a terminal to see the error',
    };
  }
}

/** ` 2.1.0`, or an empty string if the program is not on the PATH or prints no version. */
async function versionOf(agent: Agent, { environment }: InstallContext): Promise<string> {
  const program = programOf(agent, environment);
  if (!program || program.endsWith('.cmd')) return '';
  const { code, stdout } = await run([program, '--version'], '', VERSION_TIMEOUT_MS);
  return code === 0 ? ` ${/\d+\.\d+[\w.-]*/.exec(stdout)?.[0].replace(/\.$/, '') ?? ''}`.trimEnd() : '';
}
