import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ClaudeSession } from '../testing/claude-session.ts';
import { runDaemon, type RunningDaemon, temporaryHome } from '../testing/running-daemon.ts';
import { putTranscript, transcriptPath } from '../testing/transcript.ts';

/** Links, pipes and devices where transcripts are expected. */
function setTraps(folder: string): void {
  mkdirSync(folder, { recursive: true });
  symlinkSync('loop.jsonl', join(folder, 'loop.jsonl'));
  symlinkSync('/dev/zero', join(folder, 'device.jsonl'));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling.jsonl'));
  symlinkSync('.', join(folder, 'itself'));
  execFileSync('mkfifo', [join(folder, 'pipe.jsonl')]);
  mkdirSync(join(folder, 'folder.jsonl'));
}

function say(agentsHome: string): ClaudeSession {
  const session = new ClaudeSession({ cwd: '/home/ada/shop', at: Date.now() });
  const said = session.human("no, don't use npm here, we never use npm") + session.agent('Right, pnpm then.');
  putTranscript(transcriptPath({ agentsHome }, session), said);
  return session;
}

const records = async ({ call }: RunningDaemon) =>
  (await call('status', {})).sources.reduce((sum, source) => sum + source.records, 0);

test('back-fill reads every transcript beside traps', async () => {
  const agentsHome = join(temporaryHome(), 'agents');
  const session = say(agentsHome);
  setTraps(dirname(transcriptPath({ agentsHome }, session)));
  const daemon = await runDaemon({ REFLECT_AGENTS_HOME: agentsHome });
  await expect.poll(() => records(daemon)).toBe(2);
});

test('traps that appear in a watched folder neither end nor deafen capture', async () => {
  const agentsHome = join(temporaryHome(), 'agents');
  const first = say(agentsHome);
  const daemon = await runDaemon({ REFLECT_AGENTS_HOME: agentsHome });
  await expect.poll(() => records(daemon)).toBe(2);
  setTraps(dirname(transcriptPath({ agentsHome }, first)));
  say(agentsHome);
  await expect.poll(() => records(daemon)).toBe(4);
  expect((await daemon.call('status', {})).notices).toEqual([]);
});

test('a watched folder that is removed and made again at once is still watched', async () => {
  const agentsHome = join(temporaryHome(), 'agents');
  say(agentsHome);
  const daemon = await runDaemon({ REFLECT_AGENTS_HOME: agentsHome });
  await expect.poll(() => records(daemon)).toBe(2);
  const root = join(agentsHome, '.claude', 'projects');
  rmSync(root, { recursive: true });
  mkdirSync(root);
  say(agentsHome);
  await expect.poll(() => records(daemon)).toBe(4);
  say(agentsHome);
  await expect.poll(() => records(daemon)).toBe(6);
});
