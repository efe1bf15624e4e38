import type { Agent } from './agent.ts';
import { claudeCode } from './agents/claude-code.ts';
import { codex } from './agents/codex.ts';
import { copilotCli } from './agents/copilot-cli.ts';
import { geminiCli } from './agents/gemini-cli.ts';
import { opencode } from './agents/opencode.ts';

/** Every agent that Reflect can be plugged into. */
export const AGENTS: readonly Agent[] = [claudeCode, codex, copilotCli, geminiCli, opencode];
