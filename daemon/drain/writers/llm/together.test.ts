import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OWN_RUN_MARKER } from '../../../capture/own-runs.ts';
import { tempFolder } from '../../../testing/temp-home.ts';
import { agentCommand, modelServer, NOTE, type ServerReply, writerWorld } from './testing.ts';

const PROTO = "no, don't bump payments.proto without regenerating the clients, run make proto-gen";
const TOTALS = 'never round the totals of an invoice, always keep cents as integers';
const CHAT = 'no, do not push that today, wait for the release on Friday';

const CENTS = {
  ...NOTE,
  title: 'Keep cents as integers in invoice totals',
  body: '',
  entities: [],
  relations: [],
};
const VERDICTS = [
  { moment: 1, ...NOTE },
  { moment: 2, ...CENTS },
  { moment: 3, skip: true, reason: 'only true this week' },
];
const says = (value: unknown): ServerReply => ({ says: JSON.stringify(value) });

/** A session in which three things were said, drained by the real drain with a real server. */
async function drained(replies: ServerReply[], knobs: Record<string, number> = {}) {
  const server = await modelServer(...replies);
  const world = writerWorld({
    knobs: { REFLECT_WRITER: 'openai', REFLECT_WRITER_ENDPOINT: `${server.url}/v1`, ...knobs },
  });
  for (const [index, quote] of [PROTO, TOTALS, CHAT].entries())
    world.say(quote, { at: world.store.now() + index });
  world.store.tick(10);
  await world.drain.run();
  return { ...world, server };
}

const fates = ({ notes }: Awaited<ReturnType<typeof drained>>) =>
  notes().map(({ title, status }) => [title, status]);

test.each([
  ['an object', { verdicts: VERDICTS }],
  ['a list', VERDICTS],
])('the moments of a session are asked about in one call, answered with %s', async (_name, answer) => {
  const world = await drained([says(answer)]);
  expect(world.server.requests).toHaveLength(1);
  const [prompt = ''] = world.server.prompts();
  expect(prompt).toMatch(/Moment 1\.[^]+payments\.proto[^]+Moment 2\.[^]+cents[^]+Moment 3\.[^]+Friday/);
  expect(fates(world).slice(0, 2)).toEqual([
    [NOTE.title, 'active'],
    [CENTS.title, 'active'],
  ]);
  expect(world.notes()[2]).toMatchObject({ status: 'rejected' });
  expect(world.runs()).toHaveLength(1);
});

test('a moment that the answer leaves out is asked about alone', async () => {
  const { server, moments } = await drained([
    says({ verdicts: [VERDICTS[0], { moment: 2, title: 'x' }] }),
    says(CENTS),
    says({ skip: true }),
  ]);
  const [, second = '', third = ''] = server.prompts();
  expect(server.requests).toHaveLength(3);
  expect([second.includes(TOTALS), second.includes('Moment 1.')]).toEqual([true, false]);
  expect(third).toContain(CHAT);
  expect(moments().map(({ state }) => state)).not.toContain('queued');
});

test('an answer that cannot be used is no reason to lose a moment', async () => {
  const world = await drained([
    { says: 'I would keep all three.' },
    says(NOTE),
    says(CENTS),
    says({ skip: true }),
  ]);
  expect(world.runs().map(({ outcome }) => outcome)).toEqual(['prose', 'valid', 'valid', 'valid']);
  expect(
    world
      .notes()
      .map(({ title }) => title)
      .slice(0, 2),
  ).toEqual([NOTE.title, CENTS.title]);
});

test('one question counts once in the budget of a day', async () => {
  const world = await drained([says({ verdicts: VERDICTS })], { REFLECT_WRITER_RUNS_PER_DAY: 1 });
  expect(world.moments().map(({ state }) => state)).not.toContain('queued');
  world.say('always squash before merging', { transcript: 'other.jsonl' });
  await world.drain.run();
  expect(world.server.requests).toHaveLength(1);
  expect(world.moments().at(-1)).toMatchObject({
    state: 'queued',
    error: expect.stringContaining('today') as string,
  });
});

test('moments wait for more of their session, and not for ever', async () => {
  const world = await drained([says({ verdicts: VERDICTS })], { REFLECT_WRITER_GATHER_SECONDS: 300 });
  expect(world.server.requests).toHaveLength(0);
  expect(world.moments()[0]).toMatchObject({ state: 'queued', error: 'waits for more of its session' });
  world.store.tick(300_000);
  await world.drain.run();
  expect(world.server.requests).toHaveLength(1);
  expect(world.moments().map(({ state }) => state)).not.toContain('queued');
});

test('a command is asked in the same way, and its run is known as ours', async () => {
  const seen = join(tempFolder(), 'prompt');
  const command = agentCommand(`import { readFileSync, writeFileSync } from 'node:fs';
    writeFileSync(process.env.SEEN, readFileSync(0, 'utf8'));
    process.stdout.write(${JSON.stringify(JSON.stringify({ verdicts: VERDICTS }))});`);
  const world = writerWorld({
    environment: { SEEN: seen },
    knobs: { REFLECT_WRITER: 'command', REFLECT_WRITER_COMMAND: command },
  });
  for (const quote of [PROTO, TOTALS, CHAT]) world.say(quote);
  await world.drain.run();
  expect(world.runs()).toMatchObject([{ outcome: 'valid' }]);
  expect(readFileSync(seen, 'utf8').split('\n')[0]).toBe(OWN_RUN_MARKER);
  expect(
    world
      .notes()
      .map(({ title }) => title)
      .slice(0, 2),
  ).toEqual([NOTE.title, CENTS.title]);
});

test('on request nothing waits for more of its session', async () => {
  const world = await drained([says({ verdicts: VERDICTS })], { REFLECT_WRITER_GATHER_SECONDS: 300 });
  expect(world.server.requests).toEqual([]);
  expect(await world.drain.runAll(false)).toEqual({ drained: 3, left: 0 });
  expect(world.server.requests).toHaveLength(1);
});
