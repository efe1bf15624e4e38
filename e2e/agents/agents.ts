// The real agents from the npm registry, with the commands that list their MCP servers and answer one prompt offline.
import type { Move } from './scripted-model.ts';

export interface RealAgent {
  id: string;
  /** The package, its version and its program. */
  package: string;
  program: string;
  /** Files that the person already has, by path in the home. */
  files(modelUrl: string): Record<string, string>;
  /** Arguments that list the MCP servers, and a pattern that the list must match. */
  list: { args: string[]; shows: RegExp };
  ask(prompt: string): string[];
  /** The model's request to run a command; absent for agents without tool warnings. */
  command?(command: string, body: string): Move;
  environment(modelUrl: string): Record<string, string>;
  /** The problem that `reflect doctor` must report here. */
  doctorSays?: RegExp;
}

const NO_TRAFFIC = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
};

export const REAL_AGENTS: readonly RealAgent[] = [
  {
    id: 'claude-code',
    package: '@anthropic-ai/claude-code@2.1.325',
    program: 'claude',
    files: () => ({
      '.claude/settings.json':
        '{\n  "includeCoAuthoredBy": false,\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }]\n  }\n}\n',
    }),
    list: { args: ['mcp', 'list'], shows: /reflect: .*✔ Connected/ },
    ask: (prompt) => ['-p', prompt, '--allowedTools', 'Bash'],
    command: (command) => ({ tool: 'Bash', input: { command, description: 'Run it' } }),
    environment: (url) => ({ ...NO_TRAFFIC, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none' }),
  },
  {
    id: 'codex',
    package: '@openai/codex@0.166.0',
    program: 'codex',
    files: (url) => ({
      '.codex/config.toml': `# as I like it\nmodel = "gpt-5"\nmodel_provider = "scripted"\n\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${url}/v1" # on this machine\nwire_api = "responses"\n`,
      '.codex/hooks.json': '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}',
    }),
    list: { args: ['mcp', 'list'], shows: /reflect .*reflect\.cjs mcp .*enabled/ },
    // A person grants trust in the terminal; this flag grants it for one run.
    ask: (prompt) => ['exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check', prompt],
    command: (command, body) =>
      body.includes('"name":"exec_command"')
        ? { tool: 'exec_command', input: { cmd: command } }
        : { tool: 'shell', input: { command: command.split(' ') } },
    environment: () => ({}),
    doctorSays: /Codex: its hooks are not trusted yet/,
  },
  {
    id: 'copilot-cli',
    package: '@github/copilot@1.0.102',
    program: 'copilot',
    files: () => ({ '.copilot/mcp-config.json': '{\n\t"mcpServers": {}\n}\n' }),
    list: { args: ['mcp', 'list'], shows: /reflect \(local\)/ },
    ask: (prompt) => ['-p', prompt, '--allow-all-tools'],
    command: (command) => ({ tool: 'bash', input: { command, description: 'Run it' } }),
    environment: (url) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'gpt-4.1',
    }),
  },
  {
    id: 'gemini-cli',
    package: '@google/gemini-cli@0.61.0',
    program: 'gemini',
    files: () => ({
      '.gemini/settings.json':
        '{\n    // no browser here\n    "security": { "auth": { "selectedType": "gemini-api-key" }, "folderTrust": { "enabled": false } },\n    "ui": { "theme": "Dracula" }\n}\n',
    }),
    list: { args: ['mcp', 'list'], shows: /✓ reflect: .* - Connected/ },
    ask: (prompt) => ['-p', prompt],
    environment: (url) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url }),
  },
  {
    id: 'opencode',
    package: 'opencode-ai@1.18.33',
    program: 'opencode',
    files: (url) => ({
      '.config/opencode/opencode.jsonc': `{
  "$schema": "https://opencode.ai/config.json",
  // a model on this machine
  "provider": {
    "scripted": { "npm": "@ai-sdk/openai-compatible", "options": { "baseURL": "${url}/v1", "apiKey": "none" }, "models": { "m": {} } },
  },
  "model": "scripted/m",
}
`,
    }),
    list: { args: ['mcp', 'list'], shows: /✓ reflect.*connected/ },
    ask: (prompt) => ['run', prompt],
    command: (command) => ({ tool: 'bash', input: { command, description: 'Run it' } }),
    environment: () => ({}),
  },
];

export const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
