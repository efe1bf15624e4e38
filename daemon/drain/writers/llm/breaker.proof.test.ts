import { describe, expect, test } from 'vitest';
import { breaker, classify } from './breaker.ts';
import { modelServer, NOTE, SAID, type ServerReply, writerWorld } from './testing.ts';

const PROSE = { says: 'The lesson here is that one should regenerate the clients.' };
const POISON = { says: 'Prompt is too long' };
const GOOD = { says: JSON.stringify(NOTE) };
const MENTIONS = {
  says: JSON.stringify({
    ...NOTE,
    body: `${NOTE.body} The agent had said: Prompt is too long. Please run /login.`,
  }),
};
const ON = breaker.switch.name;
const THRESHOLD = breaker.knobs.threshold.name;

/** Several moments, one after the other; how often the model was asked by then, and what became of them. */
async function asked(replies: ServerReply[], moments: number, knobs: Record<string, boolean | number> = {}) {
  const server = await modelServer(...replies);
  const world = writerWorld({
    knobs: { REFLECT_WRITER: 'openai', REFLECT_WRITER_ENDPOINT: `${server.url}/v1`, ...knobs },
  });
  for (let moment = 1; moment <= moments; moment++)
    await world.saysAndDrains(`${SAID} for service ${moment}`);
  return { ...world, server, requests: server.requests.length };
}

describe('M2: every answer is one of five', () => {
  test.each([
    ['valid', JSON.stringify(NOTE)],
    ['valid', '{"skip": true, "reason": "progress report"}'],
    ['valid', MENTIONS.says],
    ['prose', PROSE.says],
    ['prose', 'Use {braces} in templates.'],
    ['idle', ''],
    ['idle', '  \n'],
    ['idle', 'Ready. What would you like me to do?'],
    ['idle', 'Nothing to report.'],
    ['poisoned', 'Prompt is too long'],
    ['poisoned', 'Invalid API key · Please run /login'],
    ['poisoned', 'API Error: 401 {"type":"error","error":{"type":"authentication_error"}}'],
    ['malformed', '{"title": "Regenerate the clients"'],
    ['malformed', '{"title": 7}'],
    ['malformed', '{}'],
    ['malformed', '```json\n{"note": "unknown shape"}\n```'],
  ])('%s: %j', (is, text) => {
    expect(classify(text).is).toBe(is);
  });
});

test('M2: useless answers in a row give the model a rest; with the switch off it is asked about every moment', async () => {
  const on = await asked([PROSE], 3);
  const off = await asked([PROSE], 3, { [ON]: false });
  expect([on.requests, off.requests]).toEqual([3, 9]);
  for (const { notes } of [on, off])
    expect(notes().map(({ metadata }) => metadata.compression)).toEqual([
      'synthetic',
      'synthetic',
      'synthetic',
    ]);
});

test('M2: one answer that the agent cannot go on is enough; with the switch off it is asked again and again', async () => {
  expect((await asked([POISON], 3)).requests).toBe(1);
  expect((await asked([POISON], 3, { [ON]: false })).requests).toBe(9);
});

test('M2: a good answer is not asked for twice, and one that merely mentions a poisoned run is good', async () => {
  const { requests, notes } = await asked([MENTIONS], 2);
  expect(requests).toBe(2);
  expect(notes().map(({ metadata }) => metadata.writer)).toEqual(['openai', 'openai']);
});

test('M2: how many useless answers are enough is a setting', async () => {
  expect((await asked([PROSE], 1, { [THRESHOLD]: 1 })).requests).toBe(1);
  expect((await asked([PROSE], 1, { [THRESHOLD]: 2 })).requests).toBe(2);
  expect((await asked([PROSE], 3, { [THRESHOLD]: 5 })).requests).toBe(5);
});

test('M2: a good answer wipes the slate', async () => {
  const { requests, runs, notes } = await asked([PROSE, PROSE, GOOD, PROSE, PROSE, GOOD], 2);
  expect(requests).toBe(6);
  expect(runs().map(({ outcome }) => outcome)).toEqual([
    'prose',
    'prose',
    'valid',
    'prose',
    'prose',
    'valid',
  ]);
  expect(notes().map(({ metadata }) => metadata.writer)).toEqual(['openai', 'openai']);
});

test('M2: the moment that tripped it is settled without the model for good; after the rest others are asked about, with nothing held against it', async () => {
  const world = await asked([POISON, PROSE, PROSE, GOOD], 2);
  expect([world.requests, world.moments().map(({ state }) => state)]).toEqual([1, ['kept', 'kept']]);
  expect(world.writer.status().held).toMatchObject({ why: 'its last answer was that it cannot go on' });

  world.store.tick(breaker.knobs.restSeconds.default * 1_000);
  expect(world.writer.status()).toMatchObject({ held: null, failuresInARow: 0 });
  await world.saysAndDrains(`${SAID} for service 3`);
  expect(world.server.requests).toHaveLength(4);
  const cannotGoOn = 'its last answer was that it cannot go on';
  expect(world.notes().map(({ metadata }) => metadata.because ?? metadata.writer)).toEqual([
    cannotGoOn,
    cannotGoOn,
    'openai',
  ]);
});

test('M2: a server that fails is given a rest too, and a restart does not forget it', async () => {
  const world = await asked([{ status: 500 }], 4);
  expect(world.requests).toBe(3);
  const again = writerWorld({
    store: world.store,
    knobs: { REFLECT_WRITER: 'openai', REFLECT_WRITER_ENDPOINT: `${world.server.url}/v1` },
  });
  expect(again.writer.status().held?.why).toBe('its last 3 answers could not be used');
});

test('M2: a clock that was put back does not prolong the rest', async () => {
  const world = await asked([POISON], 1);
  world.store.tick(-86_400_000);
  expect(world.writer.status().held).toBeNull();
});
