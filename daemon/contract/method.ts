import type * as z from 'zod';
import type { DaemonEvent } from './status.ts';

/** Events that say all there is to say by their name. */
type PlainEvent = DaemonEvent extends infer E
  ? E extends { type: infer T }
    ? keyof E extends 'type'
      ? T
      : never
    : never
  : never;

interface Crossing<O extends z.ZodType> {
  /** False for a look-up that keeps nothing it is asked, and so may be asked for anything. Every other method is redacted. */
  redacts?: boolean;
  /** Announced once it has succeeded. What is written to the store is announced by the store's own feed and not named here. */
  emits?: readonly PlainEvent[] | ((output: z.output<O>) => readonly PlainEvent[]);
  /** It may take minutes, so clients wait for it longer. */
  long?: boolean;
}

/** A row of the contract: what it does, what it takes, what it gives, and what happens to that on the way. */
export function method<I extends z.ZodType, O extends z.ZodType>(
  doc: string,
  input: I,
  output: O,
  { redacts = true, emits = [], long = false }: Crossing<O> = {},
) {
  return {
    doc,
    input,
    output,
    redacts,
    long,
    emits: (typeof emits === 'function' ? emits : () => emits) as (output: unknown) => readonly PlainEvent[],
  };
}
