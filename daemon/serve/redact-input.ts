import * as z from 'zod';
import { inner, isAsSent } from '#contract/schema.ts';
import { redactAll } from '../privacy/redact.ts';

export type Counts = Record<string, number>;

/** Redacts every text of a request except addresses, and counts the secrets by kind. */
export function redactInput(schema: z.ZodType, value: unknown, counts: Counts): unknown {
  const type = inner(schema);
  if (isAsSent(type)) return value;
  if (type instanceof z.ZodUnion) {
    const taken = type.options.find((option) => (option as z.ZodType).safeParse(value).success);
    return taken ? redactInput(taken as z.ZodType, value, counts) : redactAll(value, counts);
  }
  if (type instanceof z.ZodArray && Array.isArray(value))
    return value.map((each) => redactInput(type.element as z.ZodType, each, counts));
  if (type instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    const { shape } = type as z.ZodObject<Record<string, z.ZodType>>;
    const known = Object.entries(value).filter(([key]) => Object.hasOwn(shape, key));
    const others = Object.entries(value).filter(([key]) => !Object.hasOwn(shape, key));
    return {
      ...Object.fromEntries(
        known.map(([key, field]) => [key, redactInput(shape[key] ?? z.unknown(), field, counts)]),
      ),
      ...redactAll(Object.fromEntries(others), counts),
    };
  }
  return redactAll(value, counts);
}
