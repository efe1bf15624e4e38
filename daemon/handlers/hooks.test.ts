import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ClaudeSession } from '../testing/claude-session.ts';
import { runDaemon, type RunningDaemon, workingTree } from '../testing/running-daemon.ts';
import { putTranscript, transcriptPath } from '../testing/transcript.ts';

const SHOP = 'github.com/acme/shop';

/** A working tree of the shop. */
const shop = (remote = SHOP) => workingTree(remote, 'tree');

const learn = (daemon: RunningDaemon, title: string, more: object = {}) =>
  daemon
    .call('learnings.create', { note: { title, project: SHOP, ...more } })
    .then(({ learning }) => learning);

function agent(daemon: RunningDaemon, cwd: string, { name = 'claude-code', session = 's1' } = {}) {
  const hook = async (event: string, more: object = {}): Promise<string> => {
    const { output } = await daemon.call('hook.run', {
      agent: name,
      event,
      payload: { session_id: session, cwd, ...more },
    });
    if (output === '') return '';
    const said = JSON.parse(output) as {
      additionalContext?: string;
      hookSpecificOutput?: { additionalContext: string };
    };
    return said.additionalContext ?? said.hookSpecificOutput?.additionalContext ?? '';
  };
  return {
    start: (source = 'startup') => hook('SessionStart', { source }),
    prompt: (prompt: string) => hook('UserPromptSubmit', { prompt }),
    hook,
  };
}

describe('a session that starts', () => {
  test('gets the learnings of its project; another project gets nothing', async () => {
    const daemon = await runDaemon();
    const { id } = await learn(daemon, 'Use pnpm, never npm');
    expect(await agent(daemon, shop()).start()).toMatch(
      new RegExp(
        `^Notes from earlier .+\\n\\n## Learned earlier in shop .+\\n- \\*\\*Use pnpm, never npm\\*\\*\\n  \\(\\d{4}-\\d\\d-\\d\\d · own · ${id}\\)`,
      ),
    );
    expect(await agent(daemon, shop('github.com/acme/other')).start()).toBe('');
    expect(await agent(daemon, shop(), { name: 'copilot-cli' }).start()).toContain('Use pnpm');
  });

  test('and is resumed gets only newer learnings; after a compaction it gets all of them again', async () => {
    const daemon = await runDaemon();
    await learn(daemon, 'Use pnpm, never npm');
    const { start } = agent(daemon, shop());
    await start();
    expect(await start('resume')).toBe('');
    await learn(daemon, 'Round per line');
    const since = await start('resume');
    expect(since).toContain('Round per line');
    expect(since).not.toContain('pnpm');
    expect(await start('compact')).toMatch(/Round per line[^]*pnpm|pnpm[^]*Round per line/);
  });

  test('is not recorded as injected when the answer came too late', async () => {
    const daemon = await runDaemon();
    for (let index = 0; index < 50; index++)
      await learn(daemon, `Lesson ${index} on the totals of an invoice`);
    const payload = { session_id: 's1', cwd: shop(), source: 'startup' };
    // Nothing is found in one millisecond or less.
    const { output } = await daemon.call('hook.run', {
      agent: 'claude-code',
      event: 'SessionStart',
      payload,
      withinMs: 1,
    });
    expect(output).toBe('');
    expect(await daemon.call('uses.list', { session: 's1' })).toEqual([]);
    expect(
      (await daemon.call('hook.run', { agent: 'claude-code', event: 'SessionStart', payload })).output,
    ).toContain('Lesson');
    expect(await daemon.call('uses.list', { session: 's1' })).toHaveLength(5);
  });
});

test('a hook whose request was read only after its deadline gets no answer, and nothing is recorded', async () => {
  const daemon = await runDaemon();
  await learn(daemon, 'Round per line');
  const start = (waited: number) =>
    daemon.call('hook.run', {
      agent: 'claude-code',
      event: 'SessionStart',
      payload: { session_id: 's1', cwd: shop(), source: 'startup', asked_at: Date.now() - waited },
      withinMs: 60_000,
    });
  expect((await start(61_000)).output).toBe('');
  expect(await daemon.call('uses.list', { session: 's1' })).toEqual([]);
  expect((await start(1)).output).toContain('Round per line');
});

describe('a prompt', () => {
  const NOTE = 'Regenerate the proto clients after every change of a proto file';
  const PROMPT = 'I changed a proto file, do the proto clients need a change?';

  test('gets a relevant learning, once per session', async () => {
    const daemon = await runDaemon();
    await learn(daemon, NOTE);
    const { prompt } = agent(daemon, shop());
    expect(await prompt(PROMPT)).toContain(NOTE);
    expect(await prompt(PROMPT)).toBe('');
    expect(await agent(daemon, shop(), { session: 's2' }).prompt(PROMPT)).toContain(NOTE);
  });

  test('is what a person typed, without what hooks added before, which Gemini passes on', async () => {
    const daemon = await runDaemon();
    await learn(daemon, 'Never run npm install here, use pnpm');
    const added =
      'When a person corrects you, a decision is made, a cause is confirmed or you run into a trap, record it at once: `learn` (MCP) or `reflect learn`.';
    const { prompt } = agent(daemon, shop(), { name: 'gemini-cli' });
    const typed = 'Is it npm install or pnpm that I run here?';
    expect(await prompt(`<hook_context>${added}</hook_context>\n\n${typed}`)).toContain('use pnpm');
  });

  test('does not get what the session started with, until after a compaction', async () => {
    const daemon = await runDaemon();
    await learn(daemon, NOTE);
    const { start, prompt } = agent(daemon, shop());
    await start();
    expect(await prompt(PROMPT)).toBe('');
    await start('compact');
    expect(await prompt(PROMPT)).toBe(''); // the start injected it again
  });

  test('without relevant learnings or too short gets nothing, and so does every prompt when switched off', async () => {
    const daemon = await runDaemon();
    await learn(daemon, NOTE);
    const { prompt } = agent(daemon, shop());
    for (const said of ['Add a button for the settings page', 'proto file', 'change it', ''])
      expect(await prompt(said), said).toBe('');
    await daemon.call('config.set', { name: 'REFLECT_PROMPT_INJECT', value: false });
    expect(await prompt(PROMPT)).toBe('');
  });
});

describe('before a tool', () => {
  const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } });

  test('nothing is injected by default; when switched on, a correction that names the command is, once', async () => {
    const daemon = await runDaemon();
    await learn(daemon, 'Never run npm install here, use pnpm', { type: 'correction' });
    await learn(daemon, 'The npm install cache is warm', { type: 'gotcha' });
    const { hook } = agent(daemon, shop());
    expect(await hook('PreToolUse', bash('npm install'))).toBe('');
    await daemon.call('config.set', { name: 'REFLECT_TOOL_WARNINGS', value: true });
    expect(await hook('PreToolUse', bash('ls -la src'))).toBe('');
    const said = await hook('PreToolUse', bash('npm install'));
    expect(said).toContain('Never run npm install here');
    expect(said).not.toContain('cache');
    expect(await hook('PreToolUse', bash('npm install'))).toBe('');
  });

  test('an edit of a file that a correction names is warned of, by as much of its path as the note gives', async () => {
    const daemon = await runDaemon({ REFLECT_TOOL_WARNINGS: 'true' });
    await learn(daemon, 'Never edit schema.generated.ts by hand, run codegen', { type: 'correction' });
    await learn(daemon, 'Do not reorder the exports in db/index.ts', { type: 'correction' });
    const cwd = shop();
    const { hook } = agent(daemon, cwd);
    const edit = (file: string) => ({ tool_name: 'Edit', tool_input: { file_path: join(cwd, file) } });
    expect(await hook('PreToolUse', edit('src/schema.ts'))).toBe('');
    expect(await hook('PreToolUse', edit('src/api/index.ts'))).toBe('');
    expect(await hook('PreToolUse', edit('src/schema.generated.ts'))).toContain('run codegen');
    expect(await hook('PreToolUse', edit('src/db/index.ts'))).toContain('reorder the exports');
  });
});

describe('the use of learnings by sessions', () => {
  test('is listed by session, by learning and by folder, with how it was injected and its outcome', async () => {
    const daemon = await runDaemon();
    const { id } = await learn(daemon, 'Use pnpm, never npm');
    const cwd = shop();
    await agent(daemon, cwd, { session: 'a' }).start();
    await agent(daemon, cwd, { session: 'b', name: 'codex' }).start();
    await daemon.call('recall.search', { query: 'pnpm', cwd, session: 'b' });
    expect(await daemon.call('uses.list', { session: 'a' })).toMatchObject([
      {
        learningId: id,
        title: 'Use pnpm, never npm',
        sessionTitle: '',
        via: 'start',
        agent: 'claude-code',
        project: SHOP,
        outcome: null,
      },
    ]);
    expect((await daemon.call('uses.list', { session: 'b' })).map(({ via }) => via).toSorted()).toEqual([
      'recall',
      'start',
    ]);
    expect(new Set((await daemon.call('uses.list', { learning: id })).map(({ session }) => session))).toEqual(
      new Set(['a', 'b']),
    );
    expect((await daemon.call('uses.list', { cwd })).every(({ session }) => session === 'b')).toBe(true);
    expect((await daemon.call('learnings.get', { id })).signals.recallCount).toBe(3);
  });

  test('the result of a session reviews its injected learnings, though it never recalled any', async () => {
    const daemon = await runDaemon();
    const cwd = shop();
    const { id } = await learn(daemon, 'Round the totals');
    const session = new ClaudeSession({ cwd });
    await agent(daemon, cwd, { session: session.id }).start();
    const soon = (text: string) =>
      text.replaceAll(/"timestamp":"[^"]+"/g, `"timestamp":"${new Date(Date.now() + 5_000).toISOString()}"`);
    putTranscript(
      transcriptPath(daemon, session),
      soon(
        session.human('Add the totals') +
          session.agent("Done, I've rounded the totals.") +
          session.human("no, don't round the totals, keep cents as integers") +
          session.agent('You are right, integers it is.'),
      ),
    );
    await expect
      .poll(async () => (await daemon.call('learnings.get', { id })).signals.qValue)
      .toBeLessThan(0.5);
    expect((await daemon.call('uses.list', { session: session.id }))[0]).toMatchObject({
      learningId: id,
      outcome: 'fail',
    });
  });
});

describe('at the end of a turn', () => {
  test('what was noticed is written down at once, however long it would settle', async () => {
    const daemon = await runDaemon({ REFLECT_SETTLE_SECONDS: '600' });
    const cwd = shop();
    const session = new ClaudeSession({ cwd });
    const path = transcriptPath(daemon, session);
    putTranscript(
      path,
      session.human('Install it') +
        session.agent('Running npm install.') +
        session.human("no, don't use npm here, use pnpm") +
        session.agent('Using pnpm.'),
    );
    await expect.poll(async () => (await daemon.call('capture.moments', {})).length).toBe(1);
    await agent(daemon, cwd, { session: session.id }).hook('Stop', { transcript_path: path });
    await expect.poll(async () => (await daemon.call('learnings.list', {})).total).toBe(1);
  });

  test('the end of a session releases its pending moments', async () => {
    const daemon = await runDaemon();
    const cwd = shop();
    const session = new ClaudeSession({ cwd });
    const path = transcriptPath(daemon, session);
    putTranscript(
      path,
      session.human('Add the totals') +
        session.agent("Done, I've added the totals and rounded them.") +
        session.human('no, never round the totals, we always keep cents as integers instead'),
    );
    await agent(daemon, cwd, { session: session.id }).hook('Stop', { transcript_path: path });
    await expect
      .poll(
        async () =>
          (await daemon.call('status', {})).sources.find((source) => source.agent === 'claude-code')?.records,
      )
      .toBe(3);
    expect((await daemon.call('learnings.list', {})).total).toBe(0);
    await agent(daemon, cwd, { session: session.id }).hook('SessionEnd', {
      transcript_path: path,
      reason: 'exit',
    });
    await expect
      .poll(async () => (await daemon.call('learnings.list', {})).items.map(({ speculative }) => speculative))
      .toEqual([true]);
  });
});

test('SG8: a request for permission that only a hook tells of is answered by the next prompt; one that was granted is not', async () => {
  const daemon = await runDaemon();
  const cwd = shop();
  const policies = async () =>
    (await daemon.call('capture.moments', {}))
      .filter(({ signal }) => signal === 'signal.permission-reply')
      .map(({ quote }) => quote);
  let read = 0;
  const run = async (more: (session: ClaudeSession) => string) => {
    const session = new ClaudeSession({ cwd });
    const path = transcriptPath(daemon, session);
    putTranscript(
      path,
      session.human('Clean up') + session.toolCall('Bash', { command: 'git push --force' }, 'toolu_9'),
    );
    await agent(daemon, cwd, { session: session.id }).hook('Notification', {
      transcript_path: path,
      message: 'Claude needs your permission to use Bash',
      notification_type: 'permission_prompt',
      tool_name: 'Bash',
    });
    await expect
      .poll(
        async () =>
          (await daemon.call('status', {})).sources.find((source) => source.agent === 'claude-code')?.records,
      )
      .toBe(read + 2);
    const rest = more(session);
    read += 2 + rest.trim().split('\n').length;
    appendFileSync(path, rest);
    await agent(daemon, cwd, { session: session.id }).hook('Stop', { transcript_path: path });
  };
  await run(
    (session) =>
      session.toolResult('toolu_9', 'done') + session.human('never mind the rest') + session.agent('ok'),
  );
  await run((session) => session.human('no, never force push') + session.agent('I will not.'));
  await expect.poll(policies).toEqual([expect.stringContaining('Never use Bash for `git push --force`')]);
});

test('malformed hook payloads are tolerated', async () => {
  const daemon = await runDaemon();
  const run = (event: string, payload: Record<string, unknown>) =>
    daemon.call('hook.run', { agent: 'claude-code', event, payload });
  for (const payload of [
    {},
    { cwd: 7 },
    { cwd: '/', session_id: null },
    { cwd: 'relative', prompt: 'x'.repeat(10_000) },
    { transcript_path: '/etc/passwd' },
    { transcript_path: '../..', session_id: 'x'.repeat(5_000) },
  ]) {
    for (const event of [
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'Notification',
      'Stop',
      'SessionEnd',
      'PreCompact',
      'Unheard',
    ]) {
      expect(await run(event, payload), `${event} ${JSON.stringify(payload).slice(0, 60)}`).toEqual({
        output: '',
      });
    }
  }
});
