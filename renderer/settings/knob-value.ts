import type { KnobState } from '#contract/settings.ts';
import { settingsWords } from './words.ts';

const words = settingsWords;

/** A value as a person reads it. */
export function valueText(value: unknown): string {
  if (value === true) return words.on;
  if (value === false) return words.off;
  if (value === null || value === undefined || value === '') return words.none;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A value as it is typed. */
export const fieldText = (value: unknown): string => String(value ?? '');

export function rangeText({ min, max }: Pick<KnobState, 'min' | 'max'>): string {
  if (min !== null && max !== null) return words.range(String(min), String(max));
  if (min !== null) return words.atLeast(String(min));
  return max === null ? '' : words.atMost(String(max));
}

export type Parsed = { ok: true; value: unknown } | { ok: false; problem: string };

/** The typed text as the setting's own type; the daemon checks it again. */
export function parseKnob(knob: KnobState, typed: string | boolean): Parsed {
  if (typeof typed === 'boolean' || knob.type === 'text' || knob.type === 'choice')
    return { ok: true, value: typed };
  const value = Number(typed);
  if (typed.trim() === '' || !Number.isFinite(value)) return { ok: false, problem: words.notANumber };
  if (knob.type === 'integer' && !Number.isInteger(value)) return { ok: false, problem: words.notWhole };
  if ((knob.min !== null && value < knob.min) || (knob.max !== null && value > knob.max))
    return { ok: false, problem: words.outside(rangeText(knob)) };
  return { ok: true, value };
}
