import type * as z from 'zod';
import type { DaemonEvent } from './status.ts';

/** Events without any data but their type. */
type PlainEvent = DaemonEvent extends infer E
  ? E extends { type: infer T }
    ? keyof E extends 'type'
      ? T
      : never
    : never
  : never;

interface MethodOptions<O extends z.ZodType> {
  /** False for a lookup that stores none of its input, so that it can find any text. All other input is redacted. */
  redacts?: boolean;
  /** Emitted after success. Writes to the store are announced by the store's own feed and not listed here. */
  emits?: readonly PlainEvent[] | ((output: z.output<O>) => readonly PlainEvent[]);
  /** May take minutes, so clients use a longer timeout. */
  long?: boolean;
  /** An agent waits for it with its turn, so models answer it before all else. */
  urgent?: boolean;
  /** Costs enough that many at once wait in a queue, so that hooks and everything small are answered meanwhile. */
  queues?: boolean;
}

/** A row of the contract: description, input, output, and how dispatch treats them. */
export function method<I extends z.ZodType, O extends z.ZodType>(
  doc: string,
  input: I,
  output: O,
  { redacts = true, emits = [], long = false, urgent = false, queues = false }: MethodOptions<O> = {},
) {
  return {
    doc,
    input,
    output,
    redacts,
    long,
    urgent,
    queues,
    emits: (typeof emits === 'function' ? emits : () => emits) as (output: unknown) => readonly PlainEvent[],
  };
}
