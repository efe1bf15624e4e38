import { describe, expect, test } from 'vitest';
import type { QuotaReading } from '#contract/writers.ts';
import { resolveAll } from '../../../ports/knob.ts';
import { readQuota, saveQuota } from '../../../store/capture/writer-usage.ts';
import { START, tempStore } from '../../../testing/temp-home.ts';
import { withKnobs } from '../../testing.ts';
import { quota, quotaHold, readingsOfEvent, readingsOfHeaders } from './quota.ts';
import { agentCommand, modelServer, NOTE, SAID, type ServerReply, writerWorld } from './testing.ts';

const ON = quota.switch.name;
const HOUR = 3_600_000; // ms
const inSeconds = (time: number) => Math.round(time / 1_000);
const GOOD: ServerReply = { says: JSON.stringify(NOTE) };
const REFUSED: ServerReply = {
  status: 429,
  headers: { 'retry-after': '1200' },
  body: '{"error":"slow down"}',
};

async function served(replies: ServerReply[], knobs: Record<string, boolean | number | string> = {}) {
  const server = await modelServer(...replies);
  return {
    server,
    ...writerWorld({
      knobs: { REFLECT_WRITER: 'openai', REFLECT_WRITER_ENDPOINT: `${server.url}/v1`, ...knobs },
    }),
  };
}

/** Claude Code on a subscription, which tells its allowance before its answer. */
function claude(
  info: object,
  {
    environment = {},
    knobs = {},
    complaint,
  }: { environment?: NodeJS.ProcessEnv; knobs?: Record<string, boolean | number>; complaint?: string } = {},
) {
  const events = [
    { type: 'rate_limit_event', rate_limit_info: info },
    {
      type: 'result',
      is_error: complaint !== undefined,
      result: complaint ?? JSON.stringify(NOTE),
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  ];
  const script = `process.stdout.write(${JSON.stringify(events.map((event) => JSON.stringify(event)).join('\n'))}); process.exitCode = ${complaint === undefined ? 0 : 1};`;
  return writerWorld({
    environment,
    knobs: { REFLECT_WRITER: 'command', REFLECT_WRITER_COMMAND: agentCommand(script), ...knobs },
  });
}

const attempts = ({ store }: { store: ReturnType<typeof tempStore> }) =>
  store.db.prepare('SELECT attempts FROM capture_window ORDER BY id').pluck().all();

test('M3: with allowance left the model is asked again', async () => {
  const world = claude({
    status: 'allowed',
    rateLimitType: 'five_hour',
    utilization: 0.5,
    resetsAt: inSeconds(START + HOUR),
  });
  await world.saysAndDrains();
  await world.saysAndDrains(`${SAID} too`);
  expect(world.runs()).toHaveLength(2);
});

test('M3: with the allowance nearly used up moments wait; with the switch off the rest of it is taken', async () => {
  const full = {
    status: 'allowed_warning',
    rateLimitType: 'five_hour',
    utilization: 0.96,
    resetsAt: inSeconds(START + HOUR / 2),
  };
  const [on, off] = [claude(full), claude(full, { knobs: { [ON]: false } })];
  for (const world of [on, off]) {
    await world.saysAndDrains();
    await world.saysAndDrains(`${SAID} too`);
  }
  expect([on.runs().length, off.runs().length]).toEqual([1, 2]);
  expect(on.moments()).toMatchObject([
    { state: 'kept' },
    { state: 'queued', error: 'waits for the model: 96 % of the five hour allowance is used' },
  ]);
  expect(on.writer.status().held).toEqual({
    why: '96 % of the five hour allowance is used',
    until: START + HOUR / 2,
  });
});

test('M3: a refusal of the provider ends the run cleanly; the moment is as it was and is written when it may be', async () => {
  const world = await served([REFUSED, GOOD]);
  await world.saysAndDrains();
  expect(world.moments()).toMatchObject([
    { state: 'queued', error: 'waits for the model: the provider refused for now', learningId: null },
  ]);
  expect([attempts(world), world.runs().map(({ outcome }) => outcome), world.server.requests.length]).toEqual(
    [[0], ['rejected'], 1],
  );

  world.store.tick(1_199_000);
  await world.drain.run();
  expect(world.server.requests).toHaveLength(1);
  world.store.tick(1_000);
  await world.drain.run();
  expect(world.notes()).toMatchObject([{ title: NOTE.title, metadata: { writer: 'openai' } }]);
  expect(world.moments()).toMatchObject([{ state: 'kept', error: '' }]);
});

test('M3: with the switch off a refusal is a failure like any other, and the heuristic writer writes', async () => {
  const world = await served([REFUSED, GOOD], { [ON]: false });
  await world.saysAndDrains();
  expect(world.notes()).toMatchObject([
    { metadata: { compression: 'synthetic', because: expect.stringContaining('answered 429') as string } },
  ]);
});

test.each([
  [
    'an event',
    { status: 'rejected', rateLimitType: 'five_hour', resetsAt: inSeconds(START + HOUR / 2) },
    'API Error',
  ],
  ['the old words', { status: 'allowed' }, `Claude AI usage limit reached|${inSeconds(START + HOUR / 2)}`],
])('M3: Claude Code refusing by %s makes the moment wait until its reset', async (_how, info, complaint) => {
  const world = claude(info, { complaint });
  await world.saysAndDrains();
  expect([world.moments()[0]?.state, attempts(world), world.runs()[0]?.outcome]).toEqual([
    'queued',
    [0],
    'rejected',
  ]);
  expect(world.writer.status().held?.until).toBe(START + HOUR / 2);
});

test('M3: a moment waits at most as long as it may, then the heuristic writer writes it', async () => {
  const world = await served([REFUSED], { REFLECT_WRITER_DEFER_HOURS: 0.25 });
  await world.saysAndDrains();
  expect(world.notes()).toEqual([]);
  world.store.tick(HOUR / 4);
  await world.drain.run();
  expect(world.notes()).toMatchObject([
    { metadata: { compression: 'synthetic', because: 'the provider refused for now' } },
  ]);
  expect(world.server.requests).toHaveLength(1);
});

test('M3: what was said long ago does not wait for an allowance', async () => {
  const world = await served([REFUSED]);
  await world.saysAndDrains(SAID, START - 48 * HOUR);
  expect(world.notes()).toMatchObject([{ metadata: { compression: 'synthetic' } }]);
});

test('M3: with a key that is paid by use there is no allowance to spare', async () => {
  const full = {
    status: 'allowed_warning',
    rateLimitType: 'seven_day',
    utilization: 1,
    resetsAt: inSeconds(START + 48 * HOUR),
  };
  const world = claude(full, { environment: { ANTHROPIC_API_KEY: 'sk-test' } });
  await world.saysAndDrains();
  await world.saysAndDrains(`${SAID} too`);
  expect(world.runs()).toHaveLength(2);
});

describe('M3: the verdict', () => {
  const knobs = resolveAll(quota.knobs, withKnobs());
  const reading = (more: Partial<QuotaReading>): QuotaReading => ({
    window: 'five_hour',
    utilization: 0.5,
    closed: false,
    resetsAt: START + HOUR,
    seenAt: START,
    ...more,
  });
  const held = (
    more: Partial<QuotaReading>,
    { auth = 'subscription', now = START }: { auth?: 'subscription' | 'api-key'; now?: number } = {},
  ) => quotaHold([reading(more)], auth, knobs, now) !== null;

  test.each([
    ['five_hour', 0.95],
    ['seven_day', 0.93],
    ['seven_day_opus', 0.93],
    ['seven_day_sonnet', 0.92],
    ['overage', 0.95],
  ])('M3: %s closes at %d and not below', (window, ceiling) => {
    expect([held({ window, utilization: ceiling }), held({ window, utilization: ceiling - 0.0001 })]).toEqual(
      [true, false],
    );
  });

  test('M3: spending paid extra allowance flips the verdict by itself', () => {
    const at = (isUsingOverage: boolean) =>
      quotaHold(
        readingsOfEvent(
          { status: 'allowed', rateLimitType: 'five_hour', utilization: 0.1, isUsingOverage },
          START,
        ),
        'subscription',
        knobs,
        START,
      );
    expect([at(true)?.why, at(false)]).toEqual(['100 % of the overage allowance is used', null]);
  });

  test('M3: a threshold that the provider says was passed counts as used', () => {
    const at = (surpassedThreshold: number | boolean) =>
      quotaHold(
        readingsOfEvent({ rateLimitType: 'five_hour', surpassedThreshold }, START),
        'subscription',
        knobs,
        START,
      ) !== null;
    expect([at(0.95), at(true), at(0.75), at(false)]).toEqual([true, true, false, false]);
  });

  test('M3: a figure counts for an hour, and until its window is reset', () => {
    expect(held({ utilization: 1, resetsAt: START + 48 * HOUR }, { now: START + HOUR - 1 })).toBe(true);
    expect(held({ utilization: 1, resetsAt: START + 48 * HOUR }, { now: START + HOUR })).toBe(false);
    expect(held({ utilization: 1, resetsAt: START + 60_000 }, { now: START + 60_000 })).toBe(false);
    expect(held({ utilization: 1 }, { now: START - 60_000 })).toBe(false);
  });

  test('M3: a window nobody has heard of closes only when it is full', () => {
    expect([
      held({ window: 'one_month', utilization: 0.99 }),
      held({ window: 'one_month', utilization: 1 }),
    ]).toEqual([false, true]);
  });

  test('M3: a missing limit, or one in an unknown form, holds nothing back', () => {
    expect(quotaHold([], 'subscription', knobs, START)).toBeNull();
    expect(readingsOfEvent({ utilization: 'much' }, START)).toEqual([]);
    expect(readingsOfEvent(null, START)).toEqual([]);
  });
});

test('M3: every window of an event and of the headers is read', () => {
  expect(
    readingsOfEvent(
      {
        status: 'allowed',
        rateLimitType: 'seven_day',
        utilization: 0.8,
        resetsAt: inSeconds(START + HOUR),
        unifiedWindows: {
          five_hour: { utilization: 0.1, resetsAt: inSeconds(START + HOUR) },
          seven_day: { utilization: 0.8 },
        },
      },
      START,
    ),
  ).toMatchObject([
    { window: 'five_hour', utilization: 0.1, resetsAt: START + HOUR },
    { window: 'seven_day', utilization: 0.8, closed: false },
  ]);
  const headers = new Headers({
    'anthropic-ratelimit-unified-5h-utilization': '0.42',
    'anthropic-ratelimit-unified-5h-reset': String(inSeconds(START + HOUR)),
    'anthropic-ratelimit-unified-7d-utilization': '0.10',
    'anthropic-ratelimit-unified-7d-status': 'rejected',
    'anthropic-ratelimit-unified-overage-utilization': '0',
  });
  expect(readingsOfHeaders(headers, START)).toMatchObject([
    { window: 'five_hour', utilization: 0.42, closed: false, resetsAt: START + HOUR },
    { window: 'seven_day', closed: true },
    { window: 'overage', utilization: 0 },
  ]);
});

test('M3: the headers of a refusal say which window is full', async () => {
  const world = await served([
    {
      status: 429,
      headers: {
        'anthropic-ratelimit-unified-5h-utilization': '1',
        'anthropic-ratelimit-unified-5h-reset': String(inSeconds(START + HOUR / 2)),
        'anthropic-ratelimit-unified-reset': String(inSeconds(START + HOUR / 2)),
      },
    },
  ]);
  await world.saysAndDrains();
  expect(world.writer.status()).toMatchObject({
    held: { until: START + HOUR / 2 },
    quota: [
      { window: 'five_hour', utilization: 1 },
      { window: 'refusal', closed: true },
    ],
  });
});

test('M3: the store keeps the newest reported limit of each writer', () => {
  const { db } = tempStore();
  const reading: QuotaReading = {
    window: 'five_hour',
    utilization: 0.97,
    closed: true,
    resetsAt: START + HOUR,
    seenAt: START,
  };
  saveQuota(db, 'command', [{ ...reading, utilization: 0.1 }]);
  saveQuota(db, 'command', [reading]);
  expect([readQuota(db, 'command'), readQuota(db, 'openai')]).toEqual([[reading], []]);
});

test('M3: that a moment waits is noted beside it and changes nothing about it', async () => {
  const [waiting, plain] = [await served([REFUSED]), await served([GOOD])];
  for (const world of [waiting, plain]) world.say(SAID);
  const row = ({ store }: typeof waiting) =>
    store.db.prepare('SELECT key, chunk_hash, payload, attempts FROM capture_window').get();
  const before = row(plain);
  await waiting.drain.run();
  expect(row(waiting)).toEqual(before);
});
