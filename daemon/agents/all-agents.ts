import type { Agent } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { geminiCli } from './gemini-cli.ts';
import { opencode } from './opencode.ts';

/** Every agent that Reflect can be installed in. */
export const AGENTS: readonly Agent[] = [claudeCode, codex, copilotCli, geminiCli, opencode];
