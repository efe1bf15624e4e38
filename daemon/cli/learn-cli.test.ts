import { expect, test } from 'vitest';
import { runCli } from '../testing/command-line.ts';
import { runDaemon, type RunningDaemon, temporaryHome } from '../testing/running-daemon.ts';

const RULE = 'Install packages with pnpm, never with npm';

/** `reflect learn` in a project, with this on standard input. */
function learn({ home }: RunningDaemon, cwd: string, args: string[], input = '') {
  return runCli(home, ['learn', ...args], { cwd, input });
}

test('an agent without MCP records a rule by words or as JSON', async () => {
  const daemon = await runDaemon();
  const cwd = temporaryHome();
  const byWords = await learn(daemon, cwd, [...RULE.split(' '), '--why', 'the lockfile', '--session', 's1']);
  expect(byWords).toMatchObject({ code: 0, out: expect.stringContaining(`Recorded: ${RULE}`) as string });
  const json = JSON.stringify({ rule: RULE, when: 'adding a dependency', session: 's2' });
  const byJson = await learn(daemon, cwd, [], json);
  expect(byJson).toMatchObject({ code: 0, out: expect.stringContaining('one more proof') as string });
  expect((await daemon.call('learnings.list', {})).items).toMatchObject([{ title: RULE, proofCount: 2 }]);
});

test('without a rule, or with something else than JSON, it says what to pass', async () => {
  const daemon = await runDaemon();
  const refused = await learn(daemon, temporaryHome(), [], 'use pnpm');
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('Pass the rule') as string });
});
