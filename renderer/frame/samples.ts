import type { DaemonStatus } from '#contract/status.ts';

/** Figures drawn over time. The daemon keeps no history of them; the window does while it is open. */
export interface Sample {
  at: number;
  p50Ms: number;
  p95Ms: number;
  recalls: number;
  queue: number;
  rssBytes: number;
  tokens: number;
  followUpRate: number;
}

const MOST = 240; // at one in five seconds, the last twenty minutes

export const sampleOf = (
  { recall, queue, rssBytes, tokensSpentToday }: DaemonStatus,
  at: number,
): Sample => ({
  at,
  p50Ms: recall.p50Ms,
  p95Ms: recall.p95Ms,
  recalls: recall.count,
  queue,
  rssBytes,
  tokens: tokensSpentToday,
  followUpRate: recall.followUpRate,
});

/** The ring: the newest at the end, the oldest gone. */
export const withSample = (samples: readonly Sample[], sample: Sample): Sample[] => [
  ...samples.slice(1 - MOST),
  sample,
];
