import type * as z from 'zod';

/** A row of the contract: what it does, what it takes, what it gives. */
export function method<I extends z.ZodType, O extends z.ZodType>(doc: string, input: I, output: O) {
  return { doc, input, output };
}
