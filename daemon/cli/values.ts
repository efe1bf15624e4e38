import { InvalidArgumentError } from 'commander';
import { DaemonError } from '#contract/errors.ts';

/** Parses what was typed. The daemon validates the range of a number. */
export function wholeNumber(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(value);
}

export function numberOf(value: string): number {
  if (value.trim() === '' || Number.isNaN(Number(value)))
    throw new InvalidArgumentError('Expected a number.');
  return Number(value);
}

export function changeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new DaemonError('bad-input', `“${text}” is not a change number.`);
  return Number(text);
}

export const listOf = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

type Scalar = string | number | boolean;

/** `n=3` is a number and `on=true` a boolean, as in JSON; everything else is text. */
export function pairOf(text: string, before: Record<string, Scalar> = {}): Record<string, Scalar> {
  const [key, ...rest] = text.split('=');
  if (!key || rest.length === 0) throw new InvalidArgumentError('Expected key=value.');
  const value = rest.join('=');
  return {
    ...before,
    [key]: /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value) ? (JSON.parse(value) as Scalar) : value,
  };
}
