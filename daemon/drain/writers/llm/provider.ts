import type { QuotaReading } from '#contract/writers.ts';
import { redact } from '../../../privacy/redact.ts';
import type { Auth } from './quota.ts';

export interface Answer {
  text: string;
  model: string;
  /** Null where the provider does not count. */
  tokensIn: number | null;
  tokensOut: number | null;
  costUsd: number | null;
  quota: QuotaReading[];
}

/** A model that can be asked. Throws `Rejected` when it may not answer now, a redacted `Error` when it cannot. */
export interface Provider {
  auth: Auth;
  model: string;
  ask(prompt: string, signal: AbortSignal): Promise<Answer>;
}

/** The provider said "not now". That is no failure: it is asked again when it says so. */
export class Rejected extends Error {
  override readonly name = 'Rejected';
  readonly readings: QuotaReading[];

  constructor(message: string, readings: QuotaReading[]) {
    super(message);
    this.readings = readings;
  }
}

const LONGEST_MESSAGE = 500;

/** Error messages of others may quote the key they were sent: it is removed before anyone logs or stores them. */
export function cleanMessage(message: string, secrets: readonly string[]): string {
  const hidden = secrets
    .filter((secret) => secret.length >= 4)
    .reduce((text, secret) => text.replaceAll(secret, '[redacted key]'), message);
  return redact(hidden).text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_MESSAGE);
}
