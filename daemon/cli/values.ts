import { InvalidArgumentError } from 'commander';

/** How what is typed becomes a value. The daemon says what range a number has. */
export function wholeNumber(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(value);
}

export function numberOf(value: string): number {
  if (value.trim() === '' || Number.isNaN(Number(value)))
    throw new InvalidArgumentError('It takes a number.');
  return Number(value);
}

export const listOf = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

type Scalar = string | number | boolean;

/** `n=3` is a number and `on=true` a truth value, as they would be in JSON; all else is a text. */
export function pairOf(given: string, before: Record<string, Scalar> = {}): Record<string, Scalar> {
  const [key, ...rest] = given.split('=');
  if (!key || rest.length === 0) throw new InvalidArgumentError('It takes key=value.');
  const value = rest.join('=');
  return {
    ...before,
    [key]: /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value) ? (JSON.parse(value) as Scalar) : value,
  };
}
