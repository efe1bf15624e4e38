import * as z from 'zod';
import type { QuotaReading } from '#contract/writers.ts';
import { alias, flag, type KnobValues, number } from '../../../ports/knob.ts';
import type { PortCard } from '../../../ports/port.ts';

const ceiling = (name: string, value: number, what: string) =>
  number(name, {
    default: value,
    min: 0,
    max: 1,
    doc: `How much of ${what} may be used before notes wait; the rest is for the person's own work`,
  });

/**
 * Leaves a subscription's allowance to the person's own work (M3). Providers report how much of each window is used;
 * once one is nearly full, or they refuse, moments wait: none of their attempts is spent. Old reports no longer count,
 * so that a silent provider cannot stop notes for ever. A key that is paid by use has no such windows and is only held
 * back by a refusal.
 */
export const quota = {
  id: 'llm.quota',
  seeds: ['M3'],
  doc: 'Lets notes wait while the quota of a subscription is nearly used up.',
  switch: alias(
    flag('REFLECT_WRITER_QUOTA', true, 'Let notes wait while the quota of the model is nearly used up'),
    'REFLECT_QUOTA_GATE',
  ),
  knobs: {
    five_hour: ceiling('REFLECT_QUOTA_FIVE_HOUR', 0.95, 'the five-hour allowance'),
    seven_day: ceiling('REFLECT_QUOTA_SEVEN_DAY', 0.93, 'the weekly allowance'),
    seven_day_opus: ceiling('REFLECT_QUOTA_SEVEN_DAY_OPUS', 0.93, 'the weekly allowance of Opus'),
    seven_day_sonnet: ceiling('REFLECT_QUOTA_SEVEN_DAY_SONNET', 0.92, 'the weekly allowance of Sonnet'),
    overage: ceiling('REFLECT_QUOTA_OVERAGE', 0.95, 'the paid extra allowance'),
    ttlSeconds: number('REFLECT_QUOTA_TTL_SECONDS', {
      default: 3_600,
      min: 1,
      max: 604_800,
      doc: 'Seconds for which a figure reported by the provider is valid',
    }),
  },
} satisfies PortCard;

type QuotaKnobs = KnobValues<typeof quota.knobs>;
export type Auth = 'subscription' | 'api-key';

/** Not now: why, and when it is worth asking again. */
export interface Hold {
  why: string;
  until: number;
}

/** The window of a refusal that names none. */
const REFUSAL = 'refusal';
const REFUSED_FOR = 15 * 60_000; // ms, where the provider does not say how long

export function quotaHold(
  readings: readonly QuotaReading[],
  auth: Auth,
  knobs: QuotaKnobs,
  now: number,
): Hold | null {
  const ttl = knobs.ttlSeconds * 1_000;
  const ceilings: Record<string, number> = knobs;
  const holds = readings.flatMap(({ window, utilization, closed, resetsAt, seenAt }): Hold[] => {
    // A report from the future: the clock was set back, so its age is not known.
    const believed = seenAt <= now && now - seenAt < ttl && (resetsAt === null || resetsAt > now);
    const applies = window === REFUSAL || auth === 'subscription';
    if (!believed || !applies || !(closed || utilization >= (ceilings[window] ?? 1))) return [];
    const why =
      window === REFUSAL
        ? 'the provider refused for now'
        : `${Math.round(utilization * 100)} % of the ${window.replaceAll('_', ' ')} allowance is used`;
    return [{ why, until: Math.min(resetsAt ?? Infinity, seenAt + ttl) }];
  });
  return holds.toSorted((one, other) => other.until - one.until)[0] ?? null;
}

export function refusal(resetsAt: number | null, now: number): QuotaReading {
  return {
    window: REFUSAL,
    utilization: 1,
    closed: true,
    resetsAt: resetsAt !== null && resetsAt > now ? resetsAt : now + REFUSED_FOR,
    seenAt: now,
  };
}

const seconds = z.number().positive().optional();
const used = z.number().nonnegative().optional();

/** Reads the report in Claude Code's stream. */
const RateLimitInfo = z.object({
  status: z.string().optional(),
  rateLimitType: z.string().optional(),
  resetsAt: seconds,
  utilization: used,
  isUsingOverage: z.boolean().optional(),
  surpassedThreshold: z.union([z.number(), z.boolean()]).optional(),
  unifiedWindows: z.record(z.string(), z.object({ utilization: used, resetsAt: seconds })).optional(),
});

const inMs = (time: number | undefined) => (time === undefined ? null : Math.round(time * 1_000));

export function readingsOfEvent(info: unknown, now: number): QuotaReading[] {
  const parsed = RateLimitInfo.safeParse(info);
  if (!parsed.success) return [];
  const {
    status,
    rateLimitType,
    resetsAt,
    utilization = 0,
    isUsingOverage,
    surpassedThreshold,
    unifiedWindows = {},
  } = parsed.data;
  const readings: QuotaReading[] = Object.entries(unifiedWindows)
    .filter(([window]) => window !== rateLimitType)
    .map(([window, { utilization: share = 0, resetsAt: reset }]) => ({
      window,
      utilization: share,
      closed: false,
      resetsAt: inMs(reset),
      seenAt: now,
    }));
  if (rateLimitType) {
    const surpassed = typeof surpassedThreshold === 'number' ? surpassedThreshold : 0;
    const closed = status === 'rejected' || surpassedThreshold === true;
    readings.push({
      window: rateLimitType,
      utilization: Math.max(utilization, surpassed),
      closed,
      resetsAt: inMs(resetsAt),
      seenAt: now,
    });
  }
  // Reported either way, so that an account that is back within its allowance is known to be.
  if (isUsingOverage !== undefined) {
    readings.push({
      window: 'overage',
      utilization: isUsingOverage ? 1 : 0,
      closed: isUsingOverage,
      resetsAt: inMs(resetsAt),
      seenAt: now,
    });
  }
  return readings;
}

const HEADER_WINDOWS = {
  '5h': 'five_hour',
  '7d': 'seven_day',
  '7d_opus': 'seven_day_opus',
  '7d_sonnet': 'seven_day_sonnet',
  overage: 'overage',
};

/** Reads the report that Anthropic's API sends with every answer. */
export function readingsOfHeaders(headers: Headers, now: number): QuotaReading[] {
  return Object.entries(HEADER_WINDOWS).flatMap(([short, window]) => {
    const header = (name: string) => headers.get(`anthropic-ratelimit-unified-${short}-${name}`);
    const utilization = Number(header('utilization') ?? Number.NaN);
    const closed = header('status') === 'rejected';
    if (!Number.isFinite(utilization) && !closed) return [];
    return [
      {
        window,
        utilization: Math.max(0, utilization || 0),
        closed,
        resetsAt: timeOf(header('reset'), now),
        seenAt: now,
      },
    ];
  });
}

/** When a refused request may be made again, by whichever header says so. */
export function retryTime(headers: Headers, now: number): number | null {
  const names = ['unified', 'requests', 'tokens', 'input-tokens'].map(
    (limit) => `anthropic-ratelimit-${limit}-reset`,
  );
  const after = headers.get('retry-after');
  if (after && /^\d+(?:\.\d+)?$/.test(after)) return now + Number(after) * 1_000;
  return (
    [after, ...names.map((name) => headers.get(name))]
      .map((value) => timeOf(value, now))
      .find((time) => time !== null) ?? null
  );
}

/** Epoch seconds or a date; what is neither, or past, is none. */
function timeOf(value: string | null, now: number): number | null {
  if (!value) return null;
  const time = /^\d{9,11}$/.test(value) ? Number(value) * 1_000 : Date.parse(value);
  return Number.isFinite(time) && time > now ? time : null;
}
