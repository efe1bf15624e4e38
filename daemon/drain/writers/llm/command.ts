import { mkdirSync } from 'node:fs';
import * as z from 'zod';
import { DaemonError } from '#contract/errors.ts';
import { readAgentOutput, rejectIfLimited } from './agent-output.ts';
import { type Answer, cleanMessage, type Provider, Rejected } from './provider.ts';
import { runCommand } from '../../../platform/run-command.ts';
import { jsonOrNull } from '../../../platform/json.ts';

export interface CommandOptions {
  command: string;
  model: string;
  environment: NodeJS.ProcessEnv;
  /** The folder it runs in, by whose name its transcript is known as ours. */
  scratch: string;
  now: () => number;
}

/**
 * No tools, no servers, no trace: the excerpt is hostile input, and an agent that can do nothing cannot be talked into
 * anything.
 */
const PRESETS: Record<string, (model: string) => string[]> = {
  claude: (model) => [
    'claude',
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    '--tools',
    '',
    '--strict-mcp-config',
    '--no-session-persistence',
    '--model',
    model || 'sonnet',
  ],
  codex: (model) => [
    'codex',
    'exec',
    '--json',
    '--sandbox',
    'read-only',
    '--skip-git-repo-check',
    '--ephemeral',
    ...(model ? ['--model', model] : []),
    '-',
  ],
  gemini: (model) => [
    'gemini',
    '--output-format',
    'json',
    '--approval-mode',
    'plan',
    '--extensions',
    'none',
    '--allowed-mcp-server-names',
    'none',
    '--skip-trust',
    ...(model ? ['--model', model] : []),
  ],
};
const Argv = z.array(z.string()).min(1);

export function argvOf(command: string, model: string): string[] {
  const preset = PRESETS[command.trim()];
  if (preset) return preset(model);
  const argv = Argv.safeParse(jsonOrNull(command));
  if (argv.success && argv.data[0]) return argv.data;
  throw new DaemonError(
    'bad-knob',
    'REFLECT_WRITER_COMMAND takes claude, codex, gemini, or a JSON list of strings such as ["my-agent","--flag"]',
  );
}

/** Any agent that answers a prompt on standard input and then ends. */
export function command({ command: chosen, model, environment, scratch, now }: CommandOptions): Provider {
  const argv = argvOf(chosen, model);
  return {
    // The figures of allowances come from Claude Code alone, which has none when it is given a key.
    auth: environment.ANTHROPIC_API_KEY ? 'api-key' : 'subscription',
    model,
    async ask(prompt, signal): Promise<Answer> {
      mkdirSync(scratch, { recursive: true, mode: 0o700 });
      const { code, stdout, stderr } = await runCommand({
        argv,
        cwd: scratch,
        environment: environmentFor(environment),
        input: prompt,
        signal,
      });
      const clean = (message: string) => cleanMessage(message, secretsOf(environment));
      try {
        const answer = readAgentOutput(stdout, now());
        // An agent that fails still reports in its own form, and what it reports is worth more than its exit code.
        if (code === 0 || answer.tokensIn !== null) return { ...answer, model: answer.model || model };
        rejectIfLimited(stderr, answer.quota, now());
      } catch (error) {
        throw error instanceof Rejected ? new Rejected(clean(error.message), error.readings) : error;
      }
      throw new Error(
        clean(`${argv[0]} ended with ${code === null ? 'a signal' : `code ${code}`}: ${stderr || stdout}`),
      );
    },
  };
}

/** Without the marks of the session that started the daemon: an agent would refuse to run inside another. */
function environmentFor({
  CLAUDECODE: _nested,
  CLAUDE_CODE_ENTRYPOINT: _entry,
  ...environment
}: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, REFLECT_DISABLED: '1' };
}

function secretsOf(environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value && value.length >= 8 && /KEY|TOKEN|SECRET|PASSWORD/i.test(name) ? [value] : [],
  );
}
