import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OWN_RUN_MARKER } from '../../../capture/own-runs.ts';
import { undo } from '../../../knowledge/revise.ts';
import { historyOf } from '../../../store/learnings/history.ts';
import { modelServer, NOTE, SAID, writerWorld } from './testing.ts';

const KEY = 'k3y-of-no-known-shape-91';
const ENVIRONMENT = { MY_KEY: KEY };

async function world(
  writer: 'openai' | 'anthropic',
  replies: Parameters<typeof modelServer>,
  knobs: Record<string, string | number | boolean> = {},
) {
  const server = await modelServer(...replies);
  const endpoint = writer === 'openai' ? `${server.url}/v1` : server.url;
  return {
    server,
    ...writerWorld({
      environment: ENVIRONMENT,
      knobs: {
        REFLECT_WRITER: writer,
        REFLECT_WRITER_ENDPOINT: endpoint,
        REFLECT_WRITER_KEY_VARIABLE: 'MY_KEY',
        REFLECT_WRITER_MODEL: 'm',
        ...knobs,
      },
    }),
  };
}

const says = (value: unknown) => ({ says: JSON.stringify(value) });

test('an OpenAI-compatible server writes the note, and what it cost is kept', async () => {
  const { server, saysAndDrains, notes, runs } = await world('openai', [says(NOTE)]);
  await saysAndDrains();
  expect(notes()).toMatchObject([
    {
      title: NOTE.title,
      rule: NOTE.rule,
      project: 'acme/shop',
      validated: true,
      metadata: { writer: 'openai', model: 'gpt-test' },
    },
  ]);
  expect(runs()).toMatchObject([
    { writer: 'openai', model: 'gpt-test', tokensIn: 1_000, tokensOut: 50, costUsd: null, outcome: 'valid' },
  ]);
  expect(server.requests).toMatchObject([
    {
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'm', stream: false, response_format: { type: 'json_object' } },
    },
  ]);
});

test('Anthropic’s API writes the note', async () => {
  const { server, saysAndDrains, notes, runs } = await world('anthropic', [says(NOTE)]);
  await saysAndDrains();
  expect(notes()).toMatchObject([
    { title: NOTE.title, metadata: { writer: 'anthropic', model: 'claude-test' } },
  ]);
  expect(runs()).toMatchObject([{ tokensIn: 1_000, tokensOut: 50 }]);
  expect(server.requests).toMatchObject([
    {
      path: '/v1/messages',
      headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
      body: { model: 'm', stream: false },
    },
  ]);
});

test('the prompt begins with the mark of our own runs, and a secret that slipped through is taken out of it', async () => {
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`;
  const { server, saysAndDrains } = await world('openai', [says(NOTE)]);
  await saysAndDrains(`${SAID}, the token is ${secret}`);
  expect(server.prompts()[0]?.split('\n')[0]).toBe(OWN_RUN_MARKER);
  expect(server.prompts()[0]).toContain("don't bump payments.proto");
  expect(server.prompts()[0]).toContain('[redacted github token]');
  expect(server.prompts()[0]).not.toContain(secret);
});

test('a server that cannot hold a model to JSON is asked without', async () => {
  const { server, saysAndDrains, notes } = await world('openai', [
    { status: 400, body: '{"error":"response_format is not supported"}' },
    says(NOTE),
  ]);
  await saysAndDrains();
  expect(notes()).toMatchObject([{ title: NOTE.title }]);
  expect(server.requests.map(({ body }) => 'response_format' in body)).toEqual([true, false]);
});

test('an answer in a code fence, after thoughts, with null for what is missing, is a note', async () => {
  const { saysAndDrains, notes } = await world('openai', [
    {
      says: `<think>maybe {"a"</think>Here it is:\n\`\`\`json\n${JSON.stringify({ ...NOTE, rootCause: null })}\n\`\`\``,
    },
  ]);
  await saysAndDrains();
  expect(notes()).toMatchObject([{ title: NOTE.title }]);
});

test('what a model says about where a note belongs counts for nothing', async () => {
  const { saysAndDrains, notes } = await world('openai', [
    says({
      ...NOTE,
      project: 'evil',
      status: 'archived',
      provenance: { agent: 'x' },
      category: 'no such',
      type: 'no such',
    }),
  ]);
  await saysAndDrains();
  expect(notes()).toMatchObject([
    {
      project: 'acme/shop',
      status: 'active',
      type: 'correction',
      validated: true,
      provenance: { agent: 'claude-code' },
    },
  ]);
});

test('what the model would not keep is dropped with its reason, and undoing that makes it a candidate', async () => {
  const { saysAndDrains, notes, runs, store } = await world('openai', [
    says({ skip: true, reason: 'only true today' }),
  ]);
  await saysAndDrains();
  expect(runs()).toMatchObject([{ outcome: 'valid' }]);
  const [note] = notes();
  expect(note?.status).toBe('rejected');
  const [dropped] = historyOf(store.db, note?.id ?? '');
  expect(dropped).toMatchObject({ actor: 'openai', reason: 'only true today' });
  undo(store, dropped?.id, 'person');
  expect(notes()).toMatchObject([{ status: 'candidate' }]);
});

test('an answer that is no note is asked for again, with what was wrong', async () => {
  const { server, saysAndDrains, notes, runs } = await world('openai', [
    { says: 'The lesson is to regenerate the clients.' },
    says({ title: 'x' }),
    says(NOTE),
  ]);
  await saysAndDrains();
  expect(notes()).toMatchObject([{ title: NOTE.title }]);
  expect(runs().map(({ outcome }) => outcome)).toEqual(['prose', 'malformed', 'valid']);
  expect(server.prompts()[0]).not.toContain('could not be used');
  expect(server.prompts()[1]).toContain('it holds no JSON object');
  expect(server.prompts()[2]).toContain('title: ');
});

test('a note that the drain finds fault with is asked for again, with the fault (S10)', async () => {
  const { server, saysAndDrains, notes } = await world('openai', [
    says({ ...NOTE, entities: [{ name: 'Kubernetes', type: 'technology' }] }),
    says(NOTE),
  ]);
  await saysAndDrains();
  expect(server.prompts()[1]).toContain('the note does not name "Kubernetes"');
  expect(notes()).toMatchObject([{ title: NOTE.title, validated: true }]);
});

test.each([
  ['fails', { status: 500, body: '{"error":"boom"}' }, /answered 500/],
  ['answers no JSON', { body: '<html>hello</html>' }, /not JSON/],
  ['answers in another form', { body: '{"hello":1}' }, /form we do not know/],
  ['does not answer', { hangs: true }, /no answer came within 0\.2 s/],
])('when the server %s the heuristic writer writes now, and the note says so', async (_what, reply, why) => {
  // Short only for the server that hangs: a busy machine may be late with any other answer.
  const knobs = 'hangs' in reply ? { REFLECT_WRITER_TIMEOUT_SECONDS: 0.2 } : {};
  const { server, saysAndDrains, notes, runs } = await world('openai', [reply], knobs);
  await saysAndDrains();
  expect(notes()).toMatchObject([
    {
      title: expect.stringContaining('payments.proto') as string,
      metadata: {
        compression: 'synthetic',
        insteadOf: 'openai',
        because: expect.stringMatching(why) as string,
      },
    },
  ]);
  expect(runs()).toMatchObject([{ outcome: 'failed', detail: expect.stringMatching(why) as string }]);
  expect(server.requests).toHaveLength(1);
});

test('a server that sends us elsewhere is not followed: whoever is there would get the dialogue and the key', async () => {
  const elsewhere = await modelServer(says(NOTE));
  const { saysAndDrains, notes } = await world('openai', [
    { status: 307, headers: { location: `${elsewhere.url}/v1/chat/completions` } },
  ]);
  await saysAndDrains();
  expect(elsewhere.requests).toEqual([]);
  expect(notes()).toMatchObject([{ metadata: { compression: 'synthetic' } }]);
});

test('a server that is not there is no reason to lose the moment', async () => {
  const { saysAndDrains, notes } = writerWorld({
    knobs: { REFLECT_WRITER: 'openai', REFLECT_WRITER_ENDPOINT: 'http://127.0.0.1:9/v1' },
  });
  await saysAndDrains();
  expect(notes()).toMatchObject([
    {
      metadata: {
        compression: 'synthetic',
        because: expect.stringContaining('127.0.0.1:9 cannot be reached') as string,
      },
    },
  ]);
});

test.each(['openai', 'anthropic'] as const)(
  'the key stays out of everything we keep when %s echoes it in an error',
  async (writer) => {
    const {
      store,
      saysAndDrains,
      runs,
      log,
      notes,
      writer: modelWriter,
    } = await world(writer, [
      { status: 401, body: `{"error":{"message":"Incorrect API key provided: ${KEY}."}}` },
    ]);
    await saysAndDrains();
    expect(runs()[0]?.detail).toContain('[redacted key]');
    store.db.pragma('wal_checkpoint(TRUNCATE)');
    const files = readdirSync(store.paths.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
    for (const kept of [...files, JSON.stringify([runs(), log, notes(), modelWriter.status()])])
      expect(kept).not.toContain(KEY);
  },
);

test.each([
  [{ REFLECT_WRITER: 'anthropic' }, /ANTHROPIC_API_KEY should hold the key/],
  [{ REFLECT_WRITER: 'openai', REFLECT_WRITER_ENDPOINT: 'ftp://models' }, /begins with http/],
  [
    { REFLECT_WRITER: 'openai', REFLECT_WRITER_ENDPOINT: 'http://me:secret@models' },
    /must not hold a password/,
  ],
  [{ REFLECT_WRITER: 'openai', REFLECT_WRITER_KEY_VARIABLE: 'NOT_THERE' }, /NOT_THERE should hold/],
  [{ REFLECT_WRITER: 'command', REFLECT_WRITER_COMMAND: 'rm -rf' }, /a JSON list of strings/],
])('settings that cannot work (%j) are reported, and notes are written without', async (knobs, problem) => {
  const { writer, saysAndDrains, notes, runs } = writerWorld({ knobs });
  expect(writer.status().problem).toMatch(problem);
  await saysAndDrains();
  expect(notes()).toMatchObject([
    { metadata: { compression: 'synthetic', because: expect.stringMatching(problem) as string } },
  ]);
  expect(runs()).toEqual([]);
});

test('OpenAI’s own key is not sent to another server', async () => {
  const server = await modelServer(says(NOTE));
  const { saysAndDrains } = writerWorld({
    environment: { OPENAI_API_KEY: KEY },
    knobs: { REFLECT_WRITER: 'openai', REFLECT_WRITER_ENDPOINT: `${server.url}/v1` },
  });
  await saysAndDrains();
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test('a daemon that stops waits for no model; the moment is as it was', async () => {
  const { say, drain, stop, server, moments, runs, store } = await world('openai', [{ hangs: true }]);
  say(SAID);
  const draining = drain.run();
  await expect.poll(() => server.requests.length).toBe(1);
  stop();
  await Promise.all([drain.stop(), draining]);
  expect([moments()[0]?.state, runs()]).toEqual(['queued', []]);
  expect(store.db.prepare('SELECT attempts FROM capture_window').pluck().get()).toBe(0);
});

test('by default no model is asked', async () => {
  const server = await modelServer(says(NOTE));
  const { saysAndDrains, notes, writer } = writerWorld({ knobs: { REFLECT_WRITER_ENDPOINT: server.url } });
  await saysAndDrains();
  expect(notes()).toHaveLength(1);
  expect(server.requests).toEqual([]);
  expect(writer.status()).toMatchObject({ writer: 'heuristic', held: null, problem: '', days: [] });
});
