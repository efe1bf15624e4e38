import { DaemonError } from '#contract/errors.ts';

export type KnobValue = boolean | number | string;

/** One setting: declared once, where it is used; Settings, `reflect config`, the docs and validation read this. */
export interface Knob<T extends KnobValue = KnobValue> {
  name: string;
  type: 'flag' | 'number' | 'integer' | 'text' | 'choice';
  doc: string;
  default: T;
  min?: number;
  max?: number;
  choices?: readonly string[];
  /** False for what a cloned repository must not decide: commands, network, privacy. */
  perProject: boolean;
}

export type Knobs = Record<string, Knob>;
export type KnobValues<K extends Knobs> = { [N in keyof K]: K[N] extends Knob<infer T> ? T : never };

/** Reads a knob as it stands for one call or one run. */
export interface Resolve {
  <T extends KnobValue>(knob: Knob<T>): T;
}

export function resolveAll<K extends Knobs>(knobs: K, resolve: Resolve): KnobValues<K> {
  // Each entry is resolved by its own knob, so the record has that knob's type.
  return Object.fromEntries(
    Object.entries(knobs).map(([name, knob]) => [name, resolve(knob)]),
  ) as KnobValues<K>;
}

type Numeric = { default: number; min: number; max: number; doc: string };

export const flag = (name: string, value: boolean, doc: string): Knob<boolean> => ({
  name,
  type: 'flag',
  doc,
  default: value,
  perProject: true,
});

export const number = (name: string, { doc, ...range }: Numeric): Knob<number> => ({
  name,
  type: 'number',
  doc,
  ...range,
  perProject: true,
});

export const integer = (name: string, { doc, ...range }: Numeric): Knob<number> => ({
  name,
  type: 'integer',
  doc,
  ...range,
  perProject: true,
});

export const text = (name: string, value: string, doc: string): Knob<string> => ({
  name,
  type: 'text',
  doc,
  default: value,
  perProject: true,
});

export const choice = <C extends string>(
  name: string,
  choices: readonly C[],
  value: C,
  doc: string,
): Knob<C> => ({ name, type: 'choice', doc, default: value, choices, perProject: true });

/** Only the user's own configuration may set it, never a project's. */
export const personal = <T extends KnobValue>(knob: Knob<T>): Knob<T> => ({ ...knob, perProject: false });

const TRUE = ['true', '1', 'on', 'yes'];
const FALSE = ['false', '0', 'off', 'no'];

/** Converts a value from a call, the environment or a file to the knob's type, or says what is wrong with it. */
export function parseKnob<T extends KnobValue>(knob: Knob<T>, raw: unknown): T {
  // The switch below returns the type that `knob.type` stands for, which TypeScript cannot tie to T.
  return parse(knob, raw) as T;
}

function parse(knob: Knob, raw: unknown): KnobValue {
  switch (knob.type) {
    case 'flag':
      return parseFlag(knob, raw);
    case 'number':
    case 'integer':
      return parseNumber(knob, raw);
    case 'choice':
      return parseChoice(knob, raw);
    case 'text':
      if (typeof raw !== 'string') throw refuse(knob, raw, 'a text');
      return raw;
  }
}

function parseFlag(knob: Knob, raw: unknown): boolean {
  const word = String(raw).toLowerCase();
  if (TRUE.includes(word)) return true;
  if (FALSE.includes(word)) return false;
  throw refuse(knob, raw, 'true or false');
}

function parseNumber(knob: Knob, raw: unknown): number {
  const { min = -Infinity, max = Infinity } = knob;
  const expected = `${knob.type === 'integer' ? 'a whole number' : 'a number'} from ${min} to ${max}`;
  const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw refuse(knob, raw, expected);
  if (knob.type === 'integer' && !Number.isInteger(value)) throw refuse(knob, raw, expected);
  if (value < min || value > max) throw refuse(knob, raw, expected);
  return value;
}

function parseChoice(knob: Knob, raw: unknown): string {
  if (typeof raw === 'string' && knob.choices?.includes(raw)) return raw;
  throw refuse(knob, raw, `one of ${knob.choices?.join(', ')}`);
}

function refuse(knob: Knob, raw: unknown, expected: string): DaemonError {
  return new DaemonError('bad-knob', `${knob.name} takes ${expected}, not ${JSON.stringify(raw)}`);
}
