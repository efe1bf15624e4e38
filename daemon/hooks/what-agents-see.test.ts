import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Call, createClient } from '#contract/methods.ts';
import { startDaemon } from '../daemon.ts';
import { pathsOf } from '../platform/paths.ts';
import { ClaudeSession } from '../testing/claude-session.ts';
import { workingTree } from '../testing/running-daemon.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { putTranscript, transcriptPath } from '../testing/transcript.ts';
import { connectTo } from '../client/connect.ts';

const PAGE = fileURLToPath(new URL('../../docs/agents/what-agents-see.md', import.meta.url));
const TODAY = Date.UTC(2026, 10, 16, 12);

/** The demo knowledge base on the day the page was written, asked by words alone, as without models. */
async function demoDaemon(): Promise<{ call: Call; agentsHome: string }> {
  vi.useFakeTimers({ toFake: ['Date'], now: TODAY });
  onTestFinished(() => void vi.useRealTimers());
  const home = join(tempFolder(), 'home');
  const agentsHome = join(home, 'agents');
  mkdirSync(join(agentsHome, '.claude'), { recursive: true });
  const daemon = await startDaemon({
    home,
    environment: {
      REFLECT_AGENTS_HOME: agentsHome,
      REFLECT_CAPTURE: 'true',
      REFLECT_MODELS_DIR: join(home, 'no-models'),
      REFLECT_TOOL_WARNINGS: 'true',
    },
    demo: true,
  });
  if (daemon.state !== 'running') throw new Error('another daemon runs there');
  const open = await connectTo(pathsOf(home));
  if (!open) throw new Error('the daemon does not answer');
  onTestFinished(async () => {
    open.close();
    daemon.stop();
    await daemon.stopped;
  });
  const call = createClient(open.connection.send);
  await call('agents.connect', { agent: 'claude-code' });
  return { call, agentsHome };
}

/** The prompts and commands of the page, in the order of its blocks. */
const [PROMPT, CORRECTION, COMMAND] = [
  'how should I test with a template database per test file, truncating tables?',
  "no, don't use npm here, always use pnpm",
  'git push --force',
];

test('the page shows what is injected into a session today; `vitest -u` updates it', async () => {
  const { call, agentsHome } = await demoDaemon();
  const cwd = workingTree('github.com/acme/billing-svc', 'billing-svc');
  const injected = async (session: string, event: string, more: object) => {
    const { output } = await call('hook.run', {
      agent: 'claude-code',
      event,
      payload: { session_id: session, cwd, ...more },
    });
    return output === ''
      ? ''
      : (JSON.parse(output) as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput
          .additionalContext;
  };
  /** A person corrects the agent, the turn ends, and the next prompt is an ordinary one. */
  const corrected = async () => {
    const session = new ClaudeSession({ cwd, at: TODAY });
    const path = transcriptPath({ agentsHome }, session);
    await injected(session.id, 'SessionStart', { source: 'startup' });
    putTranscript(
      path,
      session.human('Add date-fns') +
        session.agent('I ran npm install date-fns.') +
        session.human(CORRECTION) +
        session.agent('You are right, pnpm it is.'),
    );
    await injected(session.id, 'Stop', { transcript_path: path });
    await expect.poll(async () => (await call('capture.moments', { session: session.id })).length).toBe(1);
    return injected(session.id, 'UserPromptSubmit', { prompt: 'Now the settings page' });
  };
  const blocks = [
    await injected('a', 'SessionStart', { source: 'startup' }),
    await injected('b', 'UserPromptSubmit', { prompt: PROMPT }),
    await corrected(),
    await injected('c', 'PreToolUse', { tool_name: 'Bash', tool_input: { command: COMMAND } }),
  ];
  expect(
    await injected('d', 'UserPromptSubmit', {
      prompt: 'Rename the settings page and move the save button to the left',
    }),
  ).toBe('');
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toContain(`*${PROMPT}*`);
  expect(page).toContain(`*${CORRECTION}*`);
  expect(page).toContain(`\`${COMMAND}\``);
  await expect(
    page.replaceAll(/```\n[^]*?\n```/g, () => `\`\`\`\n${blocks.shift()}\n\`\`\``),
  ).toMatchFileSnapshot(PAGE);
  expect(blocks).toEqual([]);
});
