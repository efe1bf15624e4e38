import { timeoutSeconds } from './events.ts';
import { argv, type Launcher } from './launcher.ts';

/**
 * The plugin passes OpenCode's events to Reflect and injects the answers. It runs inside OpenCode and imports nothing
 * else.
 */
export function opencodePlugin(launcher: Launcher, withTools: boolean, mark: string[] = []): string {
  return `// Reflect, added by \`reflect install opencode\`; \`reflect uninstall opencode\` removes it. Changes made here are overwritten.
import { spawn } from 'node:child_process';

const COMMAND = ${JSON.stringify(argv(launcher, 'hook'))};
const MARK = ${JSON.stringify(mark)};
const TIMEOUT_MS = ${timeoutSeconds('UserPromptSubmit') * 1_000};
const SESSION_START_TIMEOUT_MS = ${timeoutSeconds('SessionStart') * 1_000};

/**
 * Resolves to the text Reflect injects for an event; empty if there is none, Reflect is not available, or it takes too
 * long.
 */
function ask(event, payload) {
  return new Promise((resolve) => {
    const [program, ...args] = COMMAND;
    const child = spawn(program, [...args, event, 'opencode', ...MARK], { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
    const timer = setTimeout(() => child.kill(), event === 'SessionStart' ? SESSION_START_TIMEOUT_MS : TIMEOUT_MS);
    let output = '';
    child.on('error', () => resolve(''));
    child.on('close', () => {
      clearTimeout(timer);
      resolve(contextIn(output));
    });
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(payload));
  });
}

function contextIn(output) {
  try {
    return JSON.parse(output).hookSpecificOutput?.additionalContext ?? '';
  } catch {
    return '';
  }
}

const NAMES = { 'session.idle': 'Stop', 'session.deleted': 'SessionEnd', 'permission.asked': 'PermissionRequest', 'permission.updated': 'PermissionRequest' };

export const ReflectPlugin = async ({ directory }) => {
  const started = new Set();
${withTools ? '  const warnings = new Map();\n' : ''}  const send = (event, session, more = {}) => ask(event, { session_id: session, cwd: directory, hook_event_name: event, ...more });

  return {
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const prompt = parts.filter(({ type, synthetic }) => type === 'text' && !synthetic).map(({ text }) => text).join('\\n');
      const isNew = !started.has(sessionID);
      started.add(sessionID);
      const answers = [isNew ? await send('SessionStart', sessionID, { source: 'startup' }) : '', await send('UserPromptSubmit', sessionID, { prompt })];
      const text = answers.filter(Boolean).join('\\n\\n');
      // Parts are ordered by id, so this one comes last.
      if (text && parts.length > 0) parts.push({ id: \`\${parts.at(-1).id}z\`, sessionID, messageID: message.id, type: 'text', text, synthetic: true });
    },
    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id;
      const name = NAMES[event.type];
      if (name && session) void send(name, session, name === 'PermissionRequest' ? { tool_name: event.properties.permission ?? event.properties.type } : {});
      if (name === 'SessionEnd') started.delete(session);
    },
    'experimental.session.compacting': async ({ sessionID }) => void send('PreCompact', sessionID, { trigger: 'auto' }),
${withTools ? TOOLS : ''}  };
};
`;
}

// A plugin cannot add text before a tool runs, so a warning goes in front of the tool's result.
const TOOLS = `    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      const warning = await send('PreToolUse', sessionID, { tool_name: tool, tool_input: args, tool_use_id: callID });
      if (warning) warnings.set(callID, warning);
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args }, result) => {
      void send('PostToolUse', sessionID, { tool_name: tool, tool_input: args, tool_use_id: callID, tool_response: result.output });
      if (warnings.has(callID)) result.output = \`\${warnings.get(callID)}\\n\\n\${result.output}\`;
      warnings.delete(callID);
    },
`;
