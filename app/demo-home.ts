import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findDaemon } from './daemon-process.ts';

const UI_COMMAND = 'npx reflect ui';

export interface Home {
  env: NodeJS.ProcessEnv;
  /** The command that prints another link, for another terminal. */
  uiCommand: string;
  /** To be called at the end; a real home stays. */
  remove: () => Promise<void>;
}

/** The agents whose sessions the demo shows are there, with nothing of their own to read. */
export function makeDemoAgents(folder: string): void {
  for (const sessions of ['.claude/projects', '.codex/sessions', '.gemini/tmp'])
    mkdirSync(path.join(folder, sessions), { recursive: true });
}

/** With `--demo`, a throw-away home and agents without sessions, so that the demo reads nobody's. */
export function chooseHome(flags: readonly string[], env: NodeJS.ProcessEnv): Home {
  if (!flags.includes('--demo')) return { env, uiCommand: UI_COMMAND, remove: async () => undefined };
  const folder = mkdtempSync(path.join(tmpdir(), 'reflect-demo-'));
  const home = path.join(folder, 'home');
  const agents = path.join(folder, 'agents');
  makeDemoAgents(agents);
  return {
    // Without its home the command would open, or even start, the daemon of the person's real one.
    uiCommand: `REFLECT_HOME=${home} ${UI_COMMAND}`,
    env: {
      ...env,
      REFLECT_HOME: home,
      REFLECT_AGENTS_HOME: agents,
      REFLECT_CAPTURE: 'true',
    },
    async remove() {
      // An Electron that crashed leaves its daemon running; without its home it must end too.
      const left = await findDaemon(home);
      if (left.state === 'running') process.kill(left.runFile.pid);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
