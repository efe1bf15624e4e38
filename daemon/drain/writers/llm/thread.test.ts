import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ClaudeSession } from '../../../testing/claude-session.ts';
import { runDaemon, type RunningDaemon, temporaryHome } from '../../../testing/running-daemon.ts';
import { agentCommand, modelServer, NOTE } from './testing.ts';

const GOOD = { says: JSON.stringify(NOTE) };
const CLI = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));
const HOME = '-home-ada-billing-svc';

function repository(): string {
  const folder = join(temporaryHome(), 'billing-svc');
  execFileSync('git', ['init', '--quiet', folder]);
  execFileSync('git', ['-C', folder, 'remote', 'add', 'origin', 'git@github.com:acme/billing-svc.git']);
  return folder;
}

function correctIn({ agentsHome }: RunningDaemon, cwd: string, more = ''): void {
  const session = new ClaudeSession({ cwd });
  mkdirSync(join(agentsHome, '.claude', 'projects', HOME), { recursive: true });
  writeFileSync(
    join(agentsHome, '.claude', 'projects', HOME, `${session.id}.jsonl`),
    session.human('Bump the proto') +
      session.agent('I bumped payments.proto and pushed.') +
      session.human(
        `no, don't bump payments.proto without regenerating the clients, run make proto-gen${more}`,
      ) +
      session.agent("You're right. I will always run `make proto-gen`."),
  );
}

const titles = async ({ call }: RunningDaemon) =>
  (await call('learnings.list', {})).items.map(({ title }) => title);

test('a correction in a transcript becomes the note that a model wrote of it, and what that cost can be asked', async () => {
  const server = await modelServer(GOOD);
  const daemon = await runDaemon({
    REFLECT_WRITER: 'openai',
    REFLECT_WRITER_ENDPOINT: `${server.url}/v1`,
    REFLECT_WRITER_MODEL: 'gpt-test',
  });
  correctIn(daemon, repository());
  await expect.poll(() => titles(daemon)).toEqual([NOTE.title]);

  const [row] = (await daemon.call('learnings.list', {})).items;
  expect(await daemon.call('learnings.get', { id: row?.id ?? '' })).toMatchObject({
    rule: NOTE.rule,
    project: 'github.com/acme/billing-svc',
    metadata: { writer: 'openai', model: 'gpt-test' },
  });
  expect(server.prompts()[0]).toContain("You're right. I will always run");
  expect(await daemon.call('writers.status', {})).toMatchObject({
    writer: 'openai',
    model: 'gpt-test',
    problem: '',
    held: null,
    days: [{ runs: 1, notes: 1, tokensIn: 1_000, tokensOut: 50 }],
    recent: [{ outcome: 'valid' }],
  });
  expect((await daemon.call('status', {})).tokensSpentToday).toBe(1_050);
  // Not in this thread: the daemon that must answer runs in it.
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'writers'], {
    env: { ...process.env, REFLECT_HOME: daemon.home, NO_COLOR: '1' },
  });
  expect(stdout).toMatch(/written by openai with gpt-test\.[\s\S]*1 +1 +1000 +50[\s\S]*gpt-test +valid/);
});

test('who writes can be changed while the daemon runs', async () => {
  const server = await modelServer(GOOD);
  const daemon = await runDaemon();
  const cwd = repository();
  await daemon.call('config.set', { name: 'REFLECT_WRITER_ENDPOINT', value: `${server.url}/v1` });
  await daemon.call('config.set', { name: 'REFLECT_WRITER', value: 'openai' });
  correctIn(daemon, cwd);
  await expect.poll(() => titles(daemon)).toEqual([NOTE.title]);
});

test('the status reports settings that cannot work', async () => {
  const { call } = await runDaemon({ REFLECT_WRITER: 'anthropic' });
  expect((await call('status', {})).notices).toEqual([
    expect.stringContaining(
      'Notes are written without anthropic, which is not available here: the environment variable ANTHROPIC_API_KEY',
    ),
  ]);
});

test('a project cannot choose who its dialogue is sent to, or what is run', async () => {
  const server = await modelServer(GOOD);
  const daemon = await runDaemon();
  const cwd = repository();
  mkdirSync(join(cwd, '.reflect'));
  writeFileSync(
    join(cwd, '.reflect', 'config.toml'),
    `REFLECT_WRITER = "openai"\nREFLECT_WRITER_ENDPOINT = "${server.url}/v1"\n`,
  );
  correctIn(daemon, cwd);
  await expect.poll(() => titles(daemon)).toHaveLength(1);
  expect(await titles(daemon)).not.toContain(NOTE.title);
  expect(server.requests).toEqual([]);
});

test('an agent that writes notes leaves a transcript of its own, and nothing is learned from it', async () => {
  const agentsHome = join(temporaryHome(), 'agents');
  const own = join(agentsHome, '.claude', 'projects', '-scratch');
  mkdirSync(own, { recursive: true });
  const script = `import { readFileSync, writeFileSync } from 'node:fs';
    const record = (type, content, at) => JSON.stringify({ parentUuid: null, isSidechain: false, userType: 'external', cwd: process.cwd(), sessionId: 'own', version: '2.1.0', gitBranch: '',
      type, message: { role: type, content }, uuid: 'own-' + at, timestamp: new Date(1e12 + at * 1000).toISOString() });
    writeFileSync(${JSON.stringify(join(own, 'own.jsonl'))}, [
      record('user', readFileSync(0, 'utf8'), 1), record('assistant', [{ type: 'text', text: 'I committed the generated files.' }], 2),
      record('user', "no, never commit generated files in this repository, run make clean first", 3), ''].join('\\n'));
    process.stdout.write(${JSON.stringify(JSON.stringify(NOTE))});`;
  const daemon = await runDaemon({
    REFLECT_AGENTS_HOME: agentsHome,
    REFLECT_WRITER: 'command',
    REFLECT_WRITER_COMMAND: agentCommand(script),
  });
  correctIn(daemon, repository());
  await expect.poll(() => titles(daemon)).toEqual([NOTE.title]);
  // Both files were read to their end, and only the person's session held something.
  await expect
    .poll(async () => (await daemon.call('status', {})).sources.find(({ agent }) => agent === 'claude-code'))
    .toMatchObject({ files: 2, records: 7 });
  expect((await daemon.call('capture.moments', {})).map(({ session }) => session)).not.toContain('own');
});

test('a daemon whose model does not answer stops all the same, and the moment is there when it starts again', async () => {
  const server = await modelServer({ hangs: true });
  const environment = { REFLECT_WRITER: 'openai', REFLECT_WRITER_ENDPOINT: `${server.url}/v1` };
  const daemon = await runDaemon(environment);
  correctIn(daemon, repository());
  await expect.poll(() => server.requests.length).toBe(1);
  await daemon.stop();
  server.script(GOOD);
  const again = await runDaemon({ ...environment, REFLECT_AGENTS_HOME: daemon.agentsHome }, daemon.home);
  await expect.poll(() => titles(again)).toEqual([NOTE.title]);
});
