import type { AgentId } from '#contract/agents.ts';
import { stringify } from 'smol-toml';
import { VERSION } from '../platform/version.ts';
import type { Agent, InstallContext } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { geminiCli } from './gemini-cli.ts';
import { mcpServer } from './launcher.ts';
import { opencodePlugin } from './opencode-plugin.ts';
import { PLUGIN, SKILL, SKILL_NAME, SLASH_COMMANDS, type SlashCommand } from './plugin-texts.ts';

/** Reflect as one agent's kind of package: files by path, and the commands that install it. */
interface PluginPackage {
  agent: AgentId;
  files: (context: InstallContext) => Record<string, string>;
  install: (folder: string) => string[];
}

const MARK = '--plugin';
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const AUTHOR = { name: 'Reflect' };
const MANIFEST = { ...PLUGIN, version: VERSION };
const SKILL_FILE = `skills/${SKILL_NAME}/SKILL.md`;

const claudePlugin: PluginPackage = {
  agent: 'claude-code',
  files: (context) => ({
    '.claude-plugin/marketplace.json': json({
      name: PLUGIN.name,
      description: PLUGIN.description,
      owner: AUTHOR,
      plugins: [{ ...PLUGIN, source: './plugin' }],
    }),
    'plugin/.claude-plugin/plugin.json': json({ ...MANIFEST, author: AUTHOR }),
    'plugin/hooks/hooks.json': hooksOf(claudeCode, context),
    'plugin/.mcp.json': json({ mcpServers: { reflect: mcpServer(context.launcher) } }),
    [`plugin/${SKILL_FILE}`]: SKILL,
    ...commandFiles('plugin/commands', ({ name }) => `${name}.md`, markdownCommand),
  }),
  install: (folder) => [`claude plugin marketplace add ${folder}`, 'claude plugin install reflect@reflect'],
};

/** Codex has no commands of its own in a plugin; skills are called by name, as `$learn`. */
const codexPlugin: PluginPackage = {
  agent: 'codex',
  files: (context) => ({
    '.agents/plugins/marketplace.json': json({
      name: PLUGIN.name,
      interface: { displayName: 'Reflect' },
      plugins: [
        {
          name: PLUGIN.name,
          source: { source: 'local', path: './plugin' },
          policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
          category: 'Coding',
        },
      ],
    }),
    'plugin/.codex-plugin/plugin.json': json({
      ...MANIFEST,
      skills: './skills/',
      mcpServers: './.mcp.json',
      hooks: './hooks/hooks.json',
    }),
    'plugin/hooks/hooks.json': hooksOf(codex, context),
    'plugin/.mcp.json': json({ mcpServers: { reflect: mcpServer(context.launcher) } }),
    [`plugin/${SKILL_FILE}`]: SKILL,
    ...commandFiles('plugin/skills', ({ name }) => `${prefixed(name)}/SKILL.md`, skillCommand),
  }),
  install: (folder) => [`codex plugin marketplace add ${folder}`, 'codex plugin add reflect@reflect'],
};

const geminiExtension: PluginPackage = {
  agent: 'gemini-cli',
  files: (context) => ({
    'gemini-extension.json': json({ ...MANIFEST, mcpServers: { reflect: mcpServer(context.launcher) } }),
    'hooks/hooks.json': hooksOf(geminiCli, context),
    [SKILL_FILE]: SKILL,
    ...commandFiles(
      'commands',
      ({ name }) => (name === PLUGIN.name ? `${name}.toml` : `${PLUGIN.name}/${name}.toml`),
      ({ description, prompt }) => stringify({ description, prompt: prompt('{{args}}') }),
    ),
  }),
  install: (folder) => [`gemini extensions install ${folder}`],
};

/** A configuration folder of OpenCode: what it finds there joins what the person has. */
const openCodeFolder: PluginPackage = {
  agent: 'opencode',
  files: (context) => ({
    'opencode.json': json({
      mcp: {
        reflect: {
          type: 'local',
          command: [context.launcher.node, context.launcher.script, 'mcp'],
          environment: context.launcher.environment,
          enabled: true,
        },
      },
    }),
    'plugins/reflect.js': opencodePlugin(context.launcher, context.withTools, [MARK]),
    [SKILL_FILE]: SKILL,
    ...commandFiles('command', ({ name }) => `${prefixed(name)}.md`, markdownCommand),
  }),
  install: (folder) => [`export OPENCODE_CONFIG_DIR=${folder}`],
};

/** The agents for which Reflect can be packaged. */
export const PLUGINS: readonly PluginPackage[] = [claudePlugin, codexPlugin, geminiExtension, openCodeFolder];

const prefixed = (name: string): string => (name === PLUGIN.name ? name : `${PLUGIN.name}-${name}`);

function commandFiles(
  folder: string,
  nameOf: (command: SlashCommand) => string,
  textOf: (command: SlashCommand) => string,
): Record<string, string> {
  return Object.fromEntries(
    SLASH_COMMANDS.map((command) => [`${folder}/${nameOf(command)}`, textOf(command)]),
  );
}

const markdownCommand = ({ description, argument, prompt }: SlashCommand): string =>
  `---\ndescription: ${description}\nargument-hint: '${argument}'\n---\n\n${prompt('$ARGUMENTS')}\n`;

const skillCommand = ({ name, description, prompt }: SlashCommand): string =>
  `---\nname: ${prefixed(name)}\ndescription: ${description}, when a person asks for it by this name.\n---\n\n${prompt('the words of the person')}\n`;

type Handler = { command: string; args?: string[] };

/** The same hooks that `reflect install` adds, marked: where both are there, the marked ones stay silent. */
function hooksOf(agent: Agent, context: InstallContext): string {
  const target = agent.targets({ ...context, project: null }).find(({ holds }) => holds.includes('hooks'));
  const { hooks } = JSON.parse(target?.edit.apply('') ?? '{}') as {
    hooks: Record<string, Array<{ hooks: Handler[] }>>;
  };
  return json({
    hooks: Object.fromEntries(
      Object.entries(hooks).map(([event, groups]) => [
        event,
        groups.map((group) => ({ ...group, hooks: group.hooks.map(marked) })),
      ]),
    ),
  });
}

const marked = (handler: Handler): Handler =>
  handler.args
    ? { ...handler, args: [...handler.args, MARK] }
    : { ...handler, command: `${handler.command} ${MARK}` };
