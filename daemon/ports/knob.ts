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
  /** True where it is read again for each project, so that the project's own file may set it. */
  perProject: boolean;
  /** Read once, when the daemon starts; everything else applies from the next use on. */
  needsRestart?: true;
  /** Other names for it, as the seeds and older versions spell it. */
  aliases?: readonly string[];
}

/** A setting of the user alone. What a cloned repository must not decide is one: commands, network, privacy. */
export type UserKnob<T extends KnobValue = KnobValue> = Knob<T> & { perProject: false };
/** A setting that a project may change for itself. */
export type ProjectKnob<T extends KnobValue = KnobValue> = Knob<T> & { perProject: true };

export type Knobs = Record<string, Knob>;
export type UserKnobs = Record<string, UserKnob>;
export type KnobValues<K extends Knobs> = { [N in keyof K]: K[N] extends Knob<infer T> ? T : never };

/** Reads a knob as it stands for one call in one project. */
export interface Resolve {
  <T extends KnobValue>(knob: Knob<T>): T;
}

/** Reads a knob of the user. One that a project may set does not type-check: its reader must name the project. */
export interface UserResolve {
  <T extends KnobValue>(knob: UserKnob<T>): T;
}

export function resolveAll<K extends UserKnobs>(knobs: K, resolve: UserResolve): KnobValues<K>;
export function resolveAll<K extends Knobs>(knobs: K, resolve: Resolve): KnobValues<K>;
export function resolveAll(knobs: Knobs, resolve: (knob: never) => KnobValue): Record<string, KnobValue> {
  // The overloads hold that `resolve` takes these knobs.
  return Object.fromEntries(Object.entries(knobs).map(([name, knob]) => [name, resolve(knob as never)]));
}

export const isUserKnob = (knob: Knob): knob is UserKnob => !knob.perProject;

type Numeric = { default: number; min: number; max: number; doc: string; aliases?: readonly string[] };

export const flag = (name: string, value: boolean, doc: string): UserKnob<boolean> => ({
  name,
  type: 'flag',
  doc,
  default: value,
  perProject: false,
});

export const number = (name: string, { doc, ...range }: Numeric): UserKnob<number> => ({
  name,
  type: 'number',
  doc,
  ...range,
  perProject: false,
});

export const integer = (name: string, { doc, ...range }: Numeric): UserKnob<number> => ({
  name,
  type: 'integer',
  doc,
  ...range,
  perProject: false,
});

export const text = (name: string, value: string, doc: string): UserKnob<string> => ({
  name,
  type: 'text',
  doc,
  default: value,
  perProject: false,
});

export const choice = <C extends string>(
  name: string,
  choices: readonly C[],
  value: C,
  doc: string,
): UserKnob<C> => ({ name, type: 'choice', doc, default: value, choices, perProject: false });

/** A project may set it too. Only for what is read with the project's settings: the types hold that. */
export const perProject = <T extends KnobValue>(knob: Knob<T>): ProjectKnob<T> => ({
  ...knob,
  perProject: true,
});

export type PerProject<K extends Knobs> = {
  [N in keyof K]: K[N] extends Knob<infer T> ? ProjectKnob<T> : never;
};

export function allPerProject<K extends Knobs>(knobs: K): PerProject<K> {
  return Object.fromEntries(
    Object.entries(knobs).map(([name, knob]) => [name, perProject(knob)]),
  ) as PerProject<K>; // each entry is its own knob, marked
}

/** Read only when the daemon starts: wherever it is set, the person is told. */
export const needsRestart = <K extends Knob>(knob: K): K => ({ ...knob, needsRestart: true });

/** Other names under which it can be set. */
export const alias = <K extends Knob>(knob: K, ...aliases: readonly string[]): K => ({ ...knob, aliases });

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
