import * as z from 'zod';
import type { FoundWriter, WriterId } from '#contract/writers.ts';
import { findProgram } from '../../../platform/find-program.ts';
import { runCommand } from '../../../platform/run-command.ts';
import type { KnobValue, KnobValues } from '../../../ports/knob.ts';
import { WRITER_KNOBS } from './knobs.ts';

const TIMEOUT_MS = 5_000;
const OLLAMA = 'http://127.0.0.1:11434';

interface KnownWriter {
  id: WriterId;
  name: string;
  /** Its program, as a preset of the command writer; absent for what is no program. */
  program?: string;
}

const KNOWN: readonly KnownWriter[] = [
  { id: 'heuristic', name: 'Reflect itself, without a model' },
  { id: 'claude-code', name: 'Claude Code', program: 'claude' },
  { id: 'codex', name: 'Codex', program: 'codex' },
  { id: 'gemini-cli', name: 'Gemini CLI', program: 'gemini' },
  { id: 'ollama', name: 'Ollama' },
];

export interface DiscoveryOptions {
  environment: NodeJS.ProcessEnv;
  settings: KnobValues<typeof WRITER_KNOBS>;
  /** Where programs are started: an agent must not mistake the folder the daemon was started in for its project. */
  folder: string;
  /** Ollama's address; tests have their own. */
  ollama?: string;
}

/**
 * The writers that can be had on this machine. Nothing is sent to a model: programs are asked for their version, Ollama
 * for its models.
 */
export function findWriters(options: DiscoveryOptions): Promise<FoundWriter[]> {
  const chosen = chosenWriter(options.settings);
  return Promise.all(
    KNOWN.map(async ({ id, name, program }) => ({
      id,
      name,
      chosen: id === chosen,
      ...(await (program ? findAgent(program, options) : id === 'ollama' ? findOllama(options) : ALWAYS)),
    })),
  );
}

type Found = Pick<FoundWriter, 'available' | 'version' | 'models'>;
const ALWAYS: Found = { available: true, version: '', models: [] };
const MISSING: Found = { available: false, version: '', models: [] };

async function findAgent(program: string, { environment, folder }: DiscoveryOptions): Promise<Found> {
  const file = findProgram(program, environment);
  if (!file) return MISSING;
  try {
    const { stdout } = await runCommand({
      argv: [file, '--version'],
      cwd: folder,
      environment: { ...environment, REFLECT_DISABLED: '1' },
      input: '',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { available: true, version: /\d+\.\d+[\w.-]*/.exec(stdout)?.[0] ?? '', models: [] };
  } catch {
    return MISSING; // a program that cannot say its version cannot write either
  }
}

const Version = z.object({ version: z.string() });
const Tags = z.object({ models: z.array(z.object({ name: z.string() })) });

async function findOllama({ ollama = OLLAMA }: DiscoveryOptions): Promise<Found> {
  const get = async (path: string) =>
    (await fetch(`${ollama}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })).json();
  try {
    const [{ version }, { models }] = [
      Version.parse(await get('/api/version')),
      Tags.parse(await get('/api/tags')),
    ];
    return { available: models.length > 0, version, models: models.map(({ name }) => name) };
  } catch {
    return MISSING;
  }
}

/** The writer that the settings name, if it is one of these: a person may have set another command or endpoint. */
function chosenWriter({ writer, command, endpoint }: DiscoveryOptions['settings']): WriterId | null {
  if (writer === 'heuristic') return 'heuristic';
  if (writer === 'command') return KNOWN.find(({ program }) => program === command.trim())?.id ?? null;
  return writer === 'openai' && (endpoint === '' || endpoint.startsWith(OLLAMA)) ? 'ollama' : null;
}

/** The settings that choose a writer; null resets one. */
export function settingsFor(id: WriterId, model: string): Array<[name: string, value: KnobValue | null]> {
  const { writer, command, endpoint, model: modelKnob, keyVariable } = WRITER_KNOBS;
  const program = KNOWN.find((known) => known.id === id)?.program;
  const kind = program ? 'command' : id === 'ollama' ? 'openai' : 'heuristic';
  return [
    [command.name, program ?? null],
    [endpoint.name, null],
    [keyVariable.name, null],
    [modelKnob.name, model || null],
    [writer.name, kind], // last: it starts to count when the rest is there
  ];
}
